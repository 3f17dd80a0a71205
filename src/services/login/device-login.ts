import { network } from '../core/failed-attempts.js';
import type { RealmRecord } from '../core/realm.js';
import { inTransaction } from '../core/unit-of-work.js';
import { allowsDevices, answerDevice, requestOfUser } from '../tokens/device.js';
import { findRealmAndClient } from '../tokens/parties.js';
import { demandedLevel } from './acr.js';
import {
  type Attempt,
  attemptFailed,
  type Browser,
  type LoginSite,
  type Reply,
  recordFailure,
  requireFewFailures,
} from './attempt.js';
import { sessionOfBrowser } from './identity.js';
import { joinSession } from './join-session.js';
import { attemptOf, goOn } from './proceed.js';
import { withLoginFields } from './request.js';
import { newState } from './state.js';

/**
 * Begins a login for a device whose code the user has typed (RFC 8628 section 3.3); nothing for a wrong code. Codes are short, so an
 * address gets few guesses (section 5.1): as many as one-time codes of an account, then a page that says when to try again.
 */
export async function beginDevice(
  site: LoginSite,
  realm: RealmRecord,
  userCode: string,
  browser: Browser,
): Promise<Reply | undefined> {
  const { services, tokens } = site;
  const guess = { attempts: site.attempts, realm, browser };
  // who sends no address of its own would lock out all others
  const guesser = browser.countedAs && `device ${network(browser.countedAs)}`;
  if (guesser) requireFewFailures(guess, 'code', guesser);
  const kept = userCode.length > 40 ? undefined : await requestOfUser(tokens, realm.id, userCode);
  const { client: found } = await findRealmAndClient(tokens, realm.name, kept?.request.client);
  const client = found && (await withLoginFields(tokens, found));
  if (!kept || !client?.enabled || client.id !== kept.request.clientId || !allowsDevices(client)) {
    const error = 'invalid_oauth2_user_code';
    if (guesser) attemptFailed(guess, 'code', guesser);
    await recordFailure(services, realm, browser, {
      type: 'OAUTH2_DEVICE_VERIFY_USER_CODE_ERROR',
      error,
    });
    return undefined;
  }
  const { scope, nonce } = kept.request;
  const asked = { ...(scope !== undefined && { scope }), ...(nonce !== undefined && { nonce }) };
  const level = demandedLevel({ realm, client }, {});
  const login = newState(browser, {
    clientId: client.clientId,
    request: { redirectUri: '', responseMode: 'query', prompt: [], ...asked, ...(level && { level }) },
    device: kept.id,
  });
  const attempt = await attemptOf(site, realm, client, browser, login);
  await joinSession(attempt, await sessionOfBrowser(services, realm, browser.identity));
  return goOn(attempt, undefined);
}

/** Tells a device that the user has said no. */
export async function denyDevice({ services, tokens, kept: { state } }: Attempt): Promise<void> {
  const { device } = state;
  if (device !== undefined)
    await inTransaction(services.database, (tx) => answerDevice(tx, tokens, device, { denied: true }));
}
