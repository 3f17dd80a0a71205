import type { Context } from '../core/context.js';
import { isOwnAddress, noOwnAddress } from '../core/own-address.js';
import type { RealmRecord } from '../core/realm.js';
import { addressForRealm } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { recordLoginEvent } from '../events/login-events.js';
import { type ActionToken, issueActionToken } from './action-token.js';
import { composed, realmTitle, timeSpan } from './compose.js';
import { type Language, languageOf } from './language.js';
import { accountMark } from './link-binding.js';
import { type Mail, MailFailure } from './server.js';
import { sendFrom } from './settings.js';

/** A mail to a user. */
export interface SentMail {
  /** ID of the user */
  id: string;
  link: Pick<ActionToken, 'type' | 'actions' | 'clientId' | 'redirectUri' | 'tab'>;
  /** for a link to an account at an identity provider: names of the provider and of the account */
  account?: { provider: string; name: string };
  /** seconds */
  lifespan: number;
  /** further details of the event */
  details?: Record<string, string>;
}

/** A user with an address, of a realm with a mail server. */
export interface Addressee {
  realm: RealmRecord;
  user: {
    id: string;
    username: string;
    email: string | null;
    attributes: readonly { name: string; value: string }[];
  };
}

/** Refuses a link that would lead to a host which only the Host header of the request names. */
export function requireOwnAddress({ services, baseUrl }: Pick<Context, 'services' | 'baseUrl'>): void {
  if (isOwnAddress(services.config, baseUrl)) return;
  const reason = noOwnAddress(baseUrl);
  services.log.warn({ reason }, 'an email with a link was not sent');
  throw new Refusal('invalid', reason);
}

/** Refuses because a mail was not sent. REST answers all reasons and both mails as recorded, without the reason. */
export const notSent = (reason: string): Refusal =>
  new Refusal('invalid', `The email was not sent: ${reason}`, {
    status: 500,
    body: { errorMessage: 'Failed to send execute actions email' },
  });

const eventTypes = {
  'verify-email': 'SEND_VERIFY_EMAIL',
  'execute-actions': 'EXECUTE_ACTIONS',
  'reset-credentials': 'SEND_RESET_PASSWORD',
  'idp-verify-account-via-email': 'SEND_IDENTITY_PROVIDER_LINK',
} as const;

/** The names of required actions, as a reader sees them. */
const actionNames = ({ text }: Language, actions: readonly string[]): string =>
  actions.map((action) => text(`requiredAction.${action}`) ?? action).join(', ');

/** Sends the link of a write to a user, and stores its event. Refuses if it could not be sent. */
export async function sendLink(
  ctx: Context,
  { link, lifespan, details, account }: SentMail,
  { realm, user }: Addressee,
): Promise<void> {
  requireOwnAddress(ctx);
  const { services } = ctx;
  const email = user.email ?? '';
  const locale = user.attributes.find(({ name }) => name === 'locale')?.value;
  const mark = await accountMark(services.database.read, user.id);
  const content = { ...link, userId: user.id, email, mark };
  const baseUrl = addressForRealm(ctx, realm);
  const token = await issueActionToken(services, realm, baseUrl, lifespan, content);
  const address = `${baseUrl}/realms/${encodeURIComponent(realm.name)}/login-actions/action-token?key=${token}`;
  const language = await languageOf(services.database.read, realm, locale);
  const failure = await failureOf(ctx, realm, mailOf(language, realm, { ...link, account }, lifespan, address, email));
  const type = eventTypes[link.type];
  const event = {
    type: failure ? `${type}_ERROR` : type,
    clientId: link.clientId,
    userId: user.id,
    ipAddress: ctx.ipAddress,
    error: failure && 'email_send_failed',
    details: { username: user.username, email, redirect_uri: link.redirectUri, ...details },
  };
  await recordLoginEvent(services, realm, event);
  if (failure) throw notSent(failure.message);
}

function mailOf(
  language: Language,
  realm: RealmRecord,
  { type, actions, account }: SentMail['link'] & Pick<SentMail, 'account'>,
  lifespan: number,
  address: string,
  email: string,
): Mail {
  const minutes = String(Math.floor(lifespan / 60));
  const common = [address, minutes, realmTitle(realm)];
  const span = timeSpan(language, lifespan);
  if (account) {
    const values = [account.provider, realmTitle(realm), account.name, address, minutes, span];
    return composed(language, 'identityProviderLink', email, values);
  }
  if (type !== 'execute-actions') {
    const name = type === 'verify-email' ? 'emailVerification' : 'passwordReset';
    return composed(language, name, email, [...common, span]);
  }
  return composed(language, 'executeActions', email, [...common, actionNames(language, actions), span]);
}

async function failureOf({ services }: Context, realm: RealmRecord, mail: Mail): Promise<MailFailure | undefined> {
  try {
    await sendFrom(services, realm, mail);
    services.mailOutages.succeeded(realm.name);
    return undefined;
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    services.mailOutages.failed({ realm: realm.name, reason: error.message }, realm.name);
    return error;
  }
}
