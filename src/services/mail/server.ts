import { rootCertificates } from 'node:tls';
import { createTransport, type SMTPTransportOptions, type Transporter } from 'nodemailer';
import { traced } from '../../telemetry/tracer.js';
import { ownMember } from '../core/json.js';
import { addressFault } from './address.js';

/** `smtpServer` of a realm: texts by their names on the wire. */
export type SmtpSettings = Readonly<Record<string, string | undefined>>;

/** A mail in both forms. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** A mail could not be handed over. The message states the failed step, without quotations. */
export class MailFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MailFailure';
  }
}

/** Limits in milliseconds: for the connection, for silence in it, and for everything. */
const connectionTime = 5000;
const silence = 10_000;
const wholeTime = 20_000;

const isOn = (value: string | undefined): boolean => value?.toLowerCase() === 'true';

/** Whether a mail server is configured. */
export const hasServer = ({ host }: SmtpSettings): boolean => host !== undefined && host.trim() !== '';

/** `authorities` are certificates in PEM that are trusted besides the well-known ones. */
function connectionOf(settings: SmtpSettings, password: string | undefined, authorities: string | undefined) {
  const { host = '', port = '' } = settings;
  const encrypted = isOn(settings.ssl);
  const switched = isOn(settings.starttls) && !encrypted;
  if (!/^\d{0,5}$/.test(port.trim()) || Number(port) > 65_535) throw new MailFailure('the port must be a number');
  return {
    host: host.trim(),
    port: Number(port) || (encrypted ? 465 : 25),
    secure: encrypted,
    // if it is configured, it is required even if the server does not offer it: an attacker on the network could hide
    // the offer
    requireTLS: switched,
    ignoreTLS: !encrypted && !switched,
    ...(isOn(settings.auth) && { auth: { user: settings.user ?? '', pass: password ?? '' } }),
    tls: { minVersion: 'TLSv1.2', ...(authorities && { ca: [...rootCertificates, authorities] }) },
    dnsTimeout: connectionTime,
    connectionTimeout: connectionTime,
    greetingTimeout: connectionTime,
    socketTimeout: silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SMTPTransportOptions;
}

// in this form a text is never parsed as a list of addresses
const addressOf = (address: string, name = '') => ({ name, address });

/** Hands a mail over to the mail server, within 20 seconds. Throws a MailFailure. */
export async function sendMail(
  settings: SmtpSettings,
  password: string | undefined,
  authorities: string | undefined,
  mail: Mail,
): Promise<void> {
  const { from, replyTo, envelopeFrom } = settings;
  if (!hasServer(settings)) throw new MailFailure('no mail server is configured');
  if (!from?.trim()) throw new MailFailure('no sender is configured');
  for (const address of [mail.to, from, ...(replyTo ? [replyTo] : []), ...(envelopeFrom ? [envelopeFrom] : [])]) {
    if (addressFault(address) !== undefined) throw new MailFailure('an address is not a single email address');
  }
  await exchanged('send mail', connectionOf(settings, password, authorities), (transport) =>
    transport.sendMail({
      ...mail,
      to: addressOf(mail.to),
      from: addressOf(from, settings.fromDisplayName),
      ...(replyTo && { replyTo: addressOf(replyTo, settings.replyToDisplayName) }),
      ...(envelopeFrom && { envelope: { from: envelopeFrom, to: mail.to } }),
    }),
  );
}

/** Connects to the mail server and logs in there, within 20 seconds. Throws a MailFailure. */
export const tryServer = (
  settings: SmtpSettings,
  password: string | undefined,
  authorities: string | undefined,
): Promise<void> =>
  exchanged('verify mail server', connectionOf(settings, password, authorities), (transport) => transport.verify());

/** Connects, and has the server do something, in a span. */
const exchanged = (
  name: string,
  connection: ReturnType<typeof connectionOf>,
  work: (transport: Transporter) => Promise<unknown>,
): Promise<void> =>
  traced(
    () => ({
      name,
      kind: 'client',
      attributes: {
        'network.protocol.name': 'smtp',
        'server.address': connection.host,
        'server.port': connection.port,
      },
    }),
    () => inTime(createTransport(connection), work),
  );

/** Runs work on the mail server, within 20 seconds. */
async function inTime(transport: Transporter, work: (transport: Transporter) => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_done, failed) => {
    timer = setTimeout(() => failed(new MailFailure('the mail server did not respond in time')), wholeTime);
  });
  try {
    await Promise.race([work(transport), late]);
  } catch (error) {
    throw error instanceof MailFailure ? error : new MailFailure(stepOf(error));
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

/** The failures that nodemailer names by a code. */
const steps: Readonly<Record<string, string>> = {
  EDNS: 'the host of the mail server is unknown',
  ECONNECTION: 'the mail server cannot be reached',
  ESOCKET: 'the mail server cannot be reached',
  ETIMEDOUT: 'the mail server did not respond in time',
  ETLS: 'the connection to the mail server cannot be encrypted',
  EAUTH: 'the mail server refused the login',
  EENVELOPE: 'the mail server refused the sender or the recipient',
  EMESSAGE: 'the mail server refused the email',
};

/** The answer of the mail server may contain names and addresses, so only the kind of failure is shown. */
function stepOf(error: unknown): string {
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown };
  const parts = [code, responseCode, command].filter((part) => typeof part === 'string' || typeof part === 'number');
  const step = ownMember(steps, String(code)) ?? 'the mail server failed';
  return parts.length > 0 ? `${step} (${parts.join(' ')})` : step;
}
