import { type Fault, invalid } from '../core/refusal.js';
import { isSignatureAlgorithm } from '../keys/jws.js';
import { pairwiseFault, pairwiseMapper } from '../protocol-mappers/pairwise.js';
import type { ClientInput } from './representation.js';

/** What is looked at, in the form of the representation. */
type Checked = Pick<ClientInput, 'rootUrl' | 'baseUrl' | 'redirectUris' | 'attributes' | 'protocolMappers'>;

type Flaw = 'invalid' | 'scheme' | 'fragment';

// RFC 3986, with the characters beyond ASCII that the reference server lets pass
const legal = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2}|[^\p{ASCII}\p{Z}\p{C}])*$/u;
const schemePattern = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const urlSchemes = new Set(['http', 'https', 'ftp', 'file', 'jar', 'mailto']);
const forbiddenSchemes = new Set(['data', 'javascript']);

/** What is wrong with an address. Only a URL needs a scheme that leads somewhere. */
function flawsOf(address: string, isUrl: boolean, withFragment: boolean): Flaw[] {
  if (address === '') return [];
  const scheme = schemePattern.exec(address)?.[1];
  const rest = scheme === undefined ? address : address.slice(scheme.length + 1);
  const before = address.split(/[/?#]/, 1)[0] ?? '';
  const wellFormed =
    legal.test(address) &&
    address.split('#').length <= 2 &&
    rest !== '' &&
    rest !== '//' &&
    (scheme !== undefined || !before.includes(':'));
  if (!wellFormed) return ['invalid'];
  const flaws: Flaw[] = [];
  if (scheme !== undefined && forbiddenSchemes.has(scheme)) flaws.push('scheme');
  if (!withFragment && address.includes('#')) flaws.push('fragment');
  if (isUrl && flaws.length === 0 && !(scheme !== undefined && urlSchemes.has(scheme))) flaws.push('invalid');
  return flaws;
}

const texts = (article: string, kind: string): Record<Flaw, string> => ({
  invalid: `${article} is not a valid ${kind}`,
  scheme: `${article} uses an illegal scheme`,
  fragment: `${article} must not contain an ${kind} fragment`,
});

const redirectTexts = {
  ...texts('A redirect URI', 'URI'),
  fragment: 'Redirect URIs must not contain an URI fragment',
};

const serverAddress = 'https://localhost/auth';

const resolvedRoot = (rootUrl: string): string =>
  rootUrl === '$' + '{authBaseUrl}' || rootUrl === '$' + '{authAdminUrl}' ? serverAddress : rootUrl;

/** A path is one on the server, or below the root of the client. */
const resolved = (address: string, root: string): string =>
  address.startsWith('/') ? (root || 'https://localhost') + address : address;

/** Refuses a client whose addresses are malformed or dangerous, with all that is wrong in one text and as faults with their places. */
export function checkClient(client: Checked): void {
  const root = resolvedRoot(client.rootUrl ?? '');
  const found: { field: string; text: string }[] = [];
  const look = (field: string, flaws: Flaw[], text: Record<Flaw, string>) =>
    found.push(...flaws.map((flaw) => ({ field, text: text[flaw] })));
  look('baseUrl', flawsOf(resolved(client.baseUrl ?? '', ''), true, true), texts('Base URL', 'URL'));
  look('rootUrl', flawsOf(root, true, false), texts('Root URL', 'URL'));
  const logout = client.attributes?.['backchannel.logout.url'] ?? '';
  look(
    'attributes.backchannel.logout.url',
    flawsOf(resolved(logout, ''), true, true),
    texts('Backchannel logout URL', 'URL'),
  );
  for (const [at, uri] of (client.redirectUris ?? []).entries())
    look(`redirectUris.${at}`, flawsOf(resolved(uri, root), false, false), redirectTexts);
  for (const kind of ['access', 'id']) {
    const name = `${kind}.token.signed.response.alg`;
    const algorithm = client.attributes?.[name] ?? '';
    if (algorithm !== '' && !isSignatureAlgorithm(algorithm))
      found.push({ field: `attributes.${name}`, text: `Signature algorithm "${algorithm}" is not supported` });
  }
  const [first] = found;
  if (first) {
    const message = [...new Set(found.map(({ text }) => text))].join('; ');
    const faults = found.map(({ field, text }) => ({ path: field.split('.'), message: text }));
    throw refused(message, first.field.replace(/\.\d+$/, ''), faults);
  }
  checkPairwise(client, root);
}

const refused = (message: string, field: string, faults?: readonly Fault[]) =>
  invalid(message, field, {
    body: { error: 'invalid_input', error_description: message },
    ...(faults && { faults }),
  });

/** Pairwise subjects have to be possible with the redirect URIs. */
function checkPairwise({ protocolMappers, redirectUris }: Checked, root: string): void {
  for (const { protocolMapper, config } of protocolMappers ?? []) {
    if (protocolMapper !== pairwiseMapper) continue;
    const fault = pairwiseFault(config?.sectorIdentifierUri ?? '', redirectUris ?? [], root);
    if (fault) throw refused(fault.message, fault.of === 'sector' ? 'protocolMappers' : 'redirectUris');
  }
}
