import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../database/db.js';
import type { SentRequest } from '../brokering/authorization-request.js';
import type { Services } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { placeOfPayload } from '../core/sealed-columns.js';
import { storableTime } from '../core/storable-time.js';
import { inTransaction } from '../core/unit-of-work.js';
import type { ActionToken } from '../mail/action-token.js';
import type { ActionName } from './action-names.js';
import type { BrokeredLogin } from './broker/brokered.js';
import type { ReachedLevels } from './level-notes.js';
import { type AuthorizationRequest, loginLifespan } from './request.js';

/** A login on its way, between two pages. */
export interface LoginState {
  /** what the session will be called */
  sid: string;
  clientId: string;
  /** id of the client's row */
  client?: string;
  request: AuthorizationRequest;
  /** what the next form has to bring along; another one after each page */
  code: string;
  /** ids of the executions that were passed */
  done: string[];
  /** the user who has proved who it is, with at least one of the flow's steps */
  userId?: string;
  /** what the user typed or the client knew */
  username?: string;
  rememberMe?: boolean;
  /** the session that is there already: a login in it, or once more for it */
  session?: { sid: string; userId: string; again: boolean; levels?: ReachedLevels };
  /** seconds since 1970: when the user proved who it is */
  authTime?: number;
  /** challenge that a security key has to sign, base64url */
  challenge?: string;
  /** recovery codes that the user has not confirmed yet */
  newCodes?: string[];
  /** the secret of a device that is being set up */
  deviceSecret?: string;
  /** what the user said to the consent page */
  consent?: 'given';
  /** flow that the login follows in place of the one for browsers; `brokered` after the flows of an identity provider */
  path?: 'reset' | 'registration' | BrokerPath;
  /** types of the credentials that the user has logged in with */
  used?: string[];
  /** ids of the alternatives that were tried and do not apply */
  tried?: string[];
  /** request with which the browser was sent to an identity provider */
  sent?: SentRequest & { alias: string };
  /** user and session for which a client has an account at an identity provider linked; nobody is logged in by that */
  linking?: { userId: string; sid: string };
  /** account at an identity provider with which the browser came back */
  brokered?: BrokeredLogin;
  /** whether the user has followed the link of a mail that this login sent */
  byMail?: boolean;
  /** actions that this login has to have besides those of the user */
  asked?: string[];
  /** actions that were performed in this login */
  performed?: ActionName[];
  /** what became of the action that the client has asked for */
  actionStatus?: 'cancelled' | 'error';
  /** the password and address that the user had when the mail with the link went out that led here */
  mark?: string;
  /** the address that a mail with a link was sent to */
  mailedTo?: string;
  /** id of the request of the device that the user logs in for */
  device?: string;
  /** the link of a mail that led here; nobody is logged in by it alone */
  link?: { token: ActionToken; confirmed: boolean };
}

/** Where a login stands that has come back from an identity provider. */
type BrokerPath = 'firstBroker' | 'postBroker' | 'brokered';

/** Whether a login has come back from an identity provider and goes on from there. */
export const isBrokered = ({ path }: Pick<LoginState, 'path'>): boolean =>
  path === 'firstBroker' || path === 'postBroker' || path === 'brokered';

/** Whether a login goes on with the session that the browser has, without a new proof of who the user is. */
export const isBySession = ({ session, used = [] }: LoginState): boolean =>
  session?.again === false && used.length === 0;

/** Has a login try the next alternatives of its flow in place of these executions. */
export function passBy(state: LoginState, ...executions: string[]): void {
  state.tried = [...(state.tried ?? []), ...executions];
}

/** Has a login forget who the user is, with all that this user has done in it: the next one may be somebody else. */
export function forgetUser(state: LoginState): void {
  const { actionStatus } = state;
  for (const name of ofUser) delete state[name];
  // the client has asked for what there is not, whoever the user is
  if (actionStatus === 'error') state.actionStatus = actionStatus;
}

const ofUser = [
  'userId',
  'byMail',
  'brokered',
  'tried',
  'used',
  'sent',
  'challenge',
  'deviceSecret',
  'newCodes',
  'consent',
  'performed',
  'actionStatus',
  'mark',
  'mailedTo',
] as const satisfies (keyof LoginState)[];

/** A state with the place that it is kept under. */
export interface KeptState {
  /** names the browser; in its cookie */
  browser: string;
  /** names one login of it; in the address of its pages */
  tab: string;
  state: LoginState;
  /** what the database holds; nothing for a state that is not stored yet */
  stored: string | undefined;
}

const purpose = 'login';

/** A value that nobody can guess, 256 bits. */
export const secretText = (): string => randomBytes(32).toString('base64url');

/** The id under which something is kept that only its bearer may know. */
export const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url');

const idOf = ({ browser, tab }: Pick<KeptState, 'browser' | 'tab'>): string => hashed(`${browser} ${tab}`);

/** Whether a cookie can be one of ours. */
const isBrowserId = (text: string | undefined): text is string => text !== undefined && /^[\w-]{43}$/.test(text);

/** The state of a login that begins: nothing of it is stored yet. */
export const newState = (
  { id }: { id: string | undefined },
  begun: Pick<LoginState, 'clientId' | 'request' | 'device' | 'link'>,
): KeptState => ({
  browser: isBrowserId(id) ? id : secretText(),
  tab: secretText(),
  stored: undefined,
  state: { sid: randomUUID(), code: '', done: [], ...begun },
});

/** Whether a form brings the code of the page that is shown. */
export const isPresent = ({ state }: KeptState, code: string | null): boolean =>
  timingSafeEqual(
    createHash('sha256').update(state.code).digest(),
    createHash('sha256')
      .update(code ?? '')
      .digest(),
  );

/** The login that a browser has under way. */
export async function loadState(
  { database, sealer, now }: Services,
  realm: RealmRecord,
  browser: string | undefined,
  tab: string | null,
): Promise<KeptState | undefined> {
  if (!isBrowserId(browser) || !tab) return undefined;
  const id = idOf({ browser, tab });
  const row = await database.read.oneTimeToken.findFirst({
    where: { id, realmId: realm.id, purpose, expiresAt: { gt: Math.floor(now() / 1000) } },
    select: { payload: true },
  });
  if (!row) return undefined;
  return {
    browser,
    tab,
    state: JSON.parse(sealer.open(row.payload, placeOfPayload(id))) as LoginState,
    stored: row.payload,
  };
}

/**
 * Keeps a login for its next page, with a new code, for a number of seconds. False when another request has gone on with it in the meantime: then
 * nothing is kept.
 */
export async function saveState(
  { database, sealer, now }: Services,
  realm: RealmRecord,
  kept: KeptState,
  lifespan: number = loginLifespan(realm),
): Promise<boolean> {
  kept.state.code = secretText();
  const id = idOf(kept);
  const payload = sealer.seal(JSON.stringify(kept.state), placeOfPayload(id));
  const expiresAt = storableTime(Math.floor(now() / 1000) + lifespan);
  const saved = await inTransaction(database, async (tx) => {
    if (kept.stored === undefined) {
      return tx.insertNew('OneTimeToken', [{ id, realmId: realm.id, purpose, payload, expiresAt }]);
    }
    const where = { id, payload: kept.stored };
    return (await tx.oneTimeToken.updateMany({ where, data: { payload, expiresAt } })).count;
  });
  if (saved > 0) kept.stored = payload;
  return saved > 0;
}

/** Ends a login. False when another request has gone on with it in the meantime. */
export async function dropState(tx: Db, kept: KeptState): Promise<boolean> {
  if (kept.stored === undefined) return true;
  return (await tx.oneTimeToken.deleteMany({ where: { id: idOf(kept), payload: kept.stored } })).count > 0;
}
