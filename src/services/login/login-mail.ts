import { numberOf } from '../core/json.js';
import { Refusal } from '../core/refusal.js';
import type { ActionTokenType } from '../mail/action-token.js';
import { requireOwnAddress, sendLink } from '../mail/send-link.js';
import type { TokenUser } from '../tokens/types.js';
import { type Attempt, asUser } from './attempt.js';
import { accountKey } from './broker/brokered.js';
import { PageRefusal } from './refusals.js';
import type { Notice } from './texts.js';

const linking = 'idp-verify-account-via-email';

type MailKind = Exclude<ActionTokenType, 'execute-actions'>;

/** How long a link that a user asked for may be used, in seconds: the realm may say it for each kind. */
function lifespanOf({ realm: { settings, attributes } }: Attempt, type: MailKind): number {
  const own = numberOf(attributes, `actionTokenGeneratedByUserLifespan.${type}`, 0);
  return own > 0 ? own : Math.max(1, numberOf(settings, 'actionTokenGeneratedByUserLifespan', 300));
}

/** Refuses before anything is known of the user where links cannot be sent at all. */
export function requireLinks({ services, browser }: Attempt): void {
  try {
    requireOwnAddress({ services, baseUrl: browser.baseUrl });
  } catch (error) {
    throw error instanceof Refusal ? new PageRefusal(400, 'linkUnavailable') : error;
  }
}

/** Sends a link to the user of a login, which leads back to it in the same browser. False where it could not be sent. */
export async function mailLink(attempt: Attempt, user: TokenUser, type: MailKind): Promise<boolean> {
  const { realm, client, kept, attempts } = attempt;
  // anybody can have mails sent to an address: those that were sent count like attempts that failed
  const counted = { address: undefined, account: { kind: 'mail', realm: realm.name, name: user.email ?? '' } } as const;
  if (attempts.wait(counted) > 0) return false;
  attempts.failed(counted);
  const { identity } = kept.state.brokered ?? {};
  const actions =
    type === 'verify-email' ? ['VERIFY_EMAIL'] : type === linking && identity ? [accountKey(identity)] : [];
  const link = { type, actions, clientId: client.clientId, redirectUri: undefined, tab: kept.tab };
  const mail = {
    id: user.id,
    link,
    lifespan: lifespanOf(attempt, type),
    details: { code_id: kept.state.sid },
    ...(type === linking && identity && { account: { provider: identity.label, name: identity.username } }),
  };
  try {
    await sendLink(asUser(attempt, user), mail, { realm, user });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Sends a user the mail that confirms the address, and says what became of it. */
export async function sendVerification(attempt: Attempt, user: TokenUser): Promise<Notice> {
  const sent = await mailLink(attempt, user, 'verify-email');
  const { state } = attempt.kept;
  if (!sent) {
    delete state.mailedTo;
    return { key: 'verifyEmailUnavailable' };
  }
  state.mailedTo = user.email ?? '';
  return { key: 'emailSentMessage', isHint: true };
}
