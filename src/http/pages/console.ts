import type { IncomingMessage } from 'node:http';
import type { Answer } from '../answer.js';
import { contentPolicy } from '../content-policy.js';
import { mediaTypeOf, staticFiles } from './static-files.js';

/** Policy of the page: its own scripts, requests to this server only, and no frame of another page around it. */
const policy = contentPolicy({
  'script-src': "'self'",
  // the component library writes its theme into the page
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
});

/** The address of the console in the reference server, which is the redirect URI of the client `security-admin-console`. */
const addressOfReference = /^\/auth\/admin\/([^/]+)\/console(?:\/|$)(?!whoami$)/;

/**
 * Answers with the administration console, which `console/` is built to: its files, and for each other path below `/console/` its
 * page. The address of the reference server leads to it, with the code of a login. Undefined for other paths.
 */
export function consoleFiles(): (path: string, message: IncomingMessage) => Promise<Answer | undefined> {
  const page = staticFiles('dist/console', ['index.html']);
  const asset = staticFiles('dist/console/assets');
  return async (path, message) => {
    const realm = addressOfReference.exec(path)?.[1];
    if (realm !== undefined) return movedTo(`/console/${realm}/`, message);
    if (path === '/console') return movedTo('/console/', message);
    const name = /^\/assets\/console\/([\w.-]+)$/.exec(path)?.[1];
    if (name !== undefined) return compressed(name, message, asset);
    if (!path.startsWith('/console/')) return undefined;
    const answer = await page('index.html');
    return answer && { ...answer, headers: { 'content-security-policy': policy } };
  };
}

/** Leads to an address with the query of the request. */
const movedTo = (location: string, { url = '' }: IncomingMessage): Answer => ({
  status: 302,
  headers: { location: url.includes('?') ? `${location}${url.slice(url.indexOf('?'))}` : location },
});

/** The encodings that the build has made, the smallest first, with the endings of their files. */
const encodings = { br: 'br', gzip: 'gz' };

/** A file in the smallest form that the browser takes. Its name has the hash of its content, so that caches keep it for good. */
async function compressed(
  name: string,
  message: IncomingMessage,
  asset: (name: string) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const type = mediaTypeOf(name);
  if (type === undefined) return undefined;
  const accepted = String(message.headers['accept-encoding'] ?? '').split(/\s*,\s*/);
  for (const [encoding, ending] of Object.entries(encodings)) {
    const smaller = accepted.includes(encoding) ? await asset(`${name}.${ending}`) : undefined;
    if (smaller) return lasting({ ...smaller, type, headers: { 'content-encoding': encoding } });
  }
  const plain = await asset(name);
  return plain && lasting(plain);
}

const lasting = (answer: Answer): Answer => ({
  ...answer,
  public: 'immutable',
  headers: { ...answer.headers, vary: 'accept-encoding' },
});
