import { webcrypto } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { atEndOfFile } from '../support/database.js';

/** A mail as the mail server got it. */
interface Received {
  sender: string;
  recipients: string[];
  headers: Record<string, string>;
  text: string;
  html: string;
  /** how the sender has logged in */
  method: string | undefined;
  encrypted: boolean;
}

export interface Mailbox {
  port: number;
  /** without the notices */
  mails: Received[];
  /** mails that tell of changes of accounts, which nobody waits for */
  notices: Received[];
  /** The first link in the latest mail. */
  link(): string;
}

export const account = { user: 'postman', password: 'mail-secret' } as const;

/** A mail server on this machine. */
export async function openMailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Received[] = [];
  const notices: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    logger: false,
    onAuth({ method, username, password }, _session, done) {
      if (username === account.user && password === account.password) done(null, { user: method });
      else done(new Error('Wrong user name or password'));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = parsed(Buffer.concat(chunks).toString('utf8'));
        const kept = /was changed|wurde geändert/.test(mail.headers.subject ?? '') ? notices : mails;
        kept.push({
          ...mail,
          sender: mailFrom ? mailFrom.address : '',
          recipients: rcptTo.map(({ address }) => address),
          method: session.user as string | undefined,
          encrypted: Boolean(session.secure),
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEndOfFile(() => new Promise<void>((done) => server.close(() => done())));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    notices,
    link: () => /https?:\/\/\S+action-token\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? 'no link',
  };
}

const word = (text: string): string =>
  text.replace(/=\?utf-8\?(q|b)\?([^?]*)\?=\s*/gi, (_, kind: string, encoded: string) =>
    kind.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64').toString() : quoted(encoded.replaceAll('_', ' ')),
  );

const quoted = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8');

function split(part: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), word(value ?? '')]];
    }),
  );
  const body = rest.join('\r\n\r\n');
  const encoding = headers['content-transfer-encoding'];
  if (encoding === 'base64') return { headers, body: Buffer.from(body, 'base64').toString('utf8') };
  return { headers, body: encoding === 'quoted-printable' ? quoted(body) : body };
}

function parsed(source: string): Pick<Received, 'headers' | 'text' | 'html'> {
  const { headers, body } = split(source);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  const parts = body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, '')));
  const ofType = (type: string) => parts.find((part) => part.headers['content-type']?.startsWith(type))?.body ?? '';
  return { headers, text: ofType('text/plain'), html: ofType('text/html') };
}

/** A certificate for 127.0.0.1 that no known authority has signed, with its key, in PEM. */
export async function selfSigned(): Promise<{ cert: string; key: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  x509.cryptoProvider.set(webcrypto as never);
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=mail.test',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm: algorithm,
    keys: keys as never,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { cert: certificate.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n` };
}
