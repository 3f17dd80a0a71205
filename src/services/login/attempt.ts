import type { OfferedProvider } from '../brokering/provider.js';
import type { ProviderAddress } from '../brokering/provider-address.js';
import type { Context, Services } from '../core/context.js';
import type { Counted, FailedAttempts } from '../core/failed-attempts.js';
import type { RealmRecord } from '../core/realm.js';
import type { ScopedCache } from '../core/scoped-cache.js';
import { type LoginEvent, recordLoginEvent } from '../events/login-events.js';
import { logRefusedLogin } from '../events/refused-login.js';
import type { ActionTokenType } from '../mail/action-token.js';
import type { FindCertificate } from '../tokens/client-certificate.js';
import { seconds, type TokenContext } from '../tokens/context.js';
import type { TokenUser } from '../tokens/types.js';
import type { BoundFlow } from './bound-flow.js';
import type { Identity } from './identity.js';
import type { MessageKey } from './messages-en.js';
import type { RedirectClient } from './redirect-uri.js';
import { PageRefusal } from './refusals.js';
import type { AnswerAddress, LoginClient } from './request.js';
import type { KeptState } from './state.js';
import type { Notice } from './texts.js';

/** What logging in needs of the process. */
export interface LoginSite {
  readonly services: Services;
  readonly tokens: TokenContext;
  readonly attempts: FailedAttempts;
  /** the addresses that all clients of a realm have registered, for those who do not say which client they come from */
  readonly redirects: ScopedCache<RegisteredRedirects>;
}

/** The addresses that the clients of a realm have registered. */
export interface RegisteredRedirects {
  readonly realm: RealmRecord;
  readonly clients: readonly RedirectClient[];
}

/** The browser that a request comes from. */
export interface Browser {
  /** value of its login cookie */
  id: string | undefined;
  /** value of its identity cookie */
  identity: string | undefined;
  ipAddress: string;
  requestId: string;
  /** the address by which failed attempts are counted; nothing where it is not known */
  countedAs: string | undefined;
  /** the header of this name */
  userAgent?: string | undefined;
  /** finds the certificate of its connection */
  findCertificate?: FindCertificate;
  /** scheme, host and base path as it sees them, without a slash at the end */
  baseUrl: string;
}

/** Who has sent a request of a browser. */
type Sender = Pick<Browser, 'ipAddress' | 'requestId'>;

/** A login of one user for one client, with all that was read for it. */
export interface Attempt extends LoginSite {
  readonly realm: RealmRecord;
  readonly client: LoginClient;
  readonly browser: Browser;
  readonly kept: KeptState;
  /** the flow that the login follows at present */
  flow: BoundFlow;
  user?: TokenUser;
  /** whether the user has deleted the account */
  isDeleted?: true;
}

/** A page of the login, as data. */
export type Page =
  | {
      name: 'login';
      asksName: boolean;
      asksPassword: boolean;
      username: string;
      rememberMe: boolean | undefined;
      mayReset?: boolean;
      mayRegister?: boolean;
      /** identity providers that the user can log in with */
      providers?: readonly OfferedProvider[];
      /** options with which the browser offers passkeys, as JSON */
      passkey?: string;
    }
  /** asks whether an account at an identity provider belongs to the existing user */
  | { name: 'linkConfirm'; provider: string; account: string }
  /** asks for the link of the mail that was sent to the existing user */
  | { name: 'linkMail'; provider: string; username: string }
  /** asks whether the user of the certificate is to be logged in */
  | { name: 'certificate'; subject: string; username: string }
  | { name: 'resetPassword'; username: string }
  | {
      name: 'register';
      values: Record<string, string>;
      asksUsername: boolean;
      asksProfile: boolean;
      asksPassword: boolean;
    }
  /** what a link of a mail is for, before it is done */
  | { name: 'followLink'; type: ActionTokenType; email: string; actions: string[] }
  /** that something is done, with where to go on */
  | { name: 'info'; message: MessageKey; back: string | undefined }
  | { name: 'otp'; mayPassBy: boolean }
  /** asks for the recovery code with this number */
  | { name: 'recoveryCode'; number: number; mayPassBy: boolean }
  /** new recovery codes, which the user confirms */
  | { name: 'newCodes'; codes: readonly string[] }
  | { name: 'updatePassword'; username: string }
  | { name: 'updateProfile'; values: Record<string, string>; asksUsername: boolean }
  | {
      name: 'configureTotp';
      secret: string;
      uri: string;
      algorithm: string;
      digits: number;
      period?: number;
      counter?: number;
    }
  /** `options` are those of the browser's interface for keys, as JSON */
  | { name: 'registerKey'; options: string; isPasswordless: boolean }
  | { name: 'useKey'; options: string; mayPassBy: boolean }
  | { name: 'terms' }
  | { name: 'deleteAccount'; username: string }
  | { name: 'verifyEmail'; email: string }
  | { name: 'consent'; client: string; scopes: string[]; policyUri?: string; termsUri?: string; logoUri?: string };

/** What the browser is to be shown, or where it is to be sent. */
export type Reply = PageReply | AnswerReply | ProviderReply;

/** A page to be shown. */
export interface PageReply {
  kind: 'page';
  page: Page;
  notice: Notice | undefined;
  attempt: Attempt;
  identity?: Identity;
  /** whether the user may leave out what the client asks for */
  mayCancel?: boolean;
}

/** Where the browser is sent. */
interface AnswerReply {
  kind: 'answer';
  to: AnswerAddress;
  parameters: Record<string, string>;
  identity?: Identity;
}

/** The identity provider that the browser is sent to. */
interface ProviderReply {
  kind: 'provider';
  to: ProviderAddress;
  /** value of the login cookie */
  browser: string;
}

/** What events of a login tell about the request. */
export const eventDetails = ({ kept: { state } }: Attempt): Record<string, string | undefined> => ({
  auth_method: state.request.saml ? 'saml' : 'openid-connect',
  ...(state.link === undefined &&
    !state.request.saml && {
      auth_type: 'code',
      response_type: state.request.responseTypes?.join(' ') ?? 'code',
      response_mode: `${state.request.responseMode}${state.request.isToken ? '.jwt' : ''}`,
    }),
  redirect_uri: state.request.redirectUri || undefined,
  code_id: state.sid,
  username: state.username,
  ...(state.brokered && {
    identity_provider: state.brokered.identity.alias,
    identity_provider_identity: state.brokered.identity.username,
  }),
  ...(state.rememberMe && { remember_me: 'true' }),
});

/** What an attempt is counted with. */
export type Counting = Pick<Attempt, 'attempts' | 'realm' | 'browser'>;

/** Refuses, with a page, an attempt after too many that failed. */
export function requireFewFailures({ attempts, realm, browser }: Counting, kind: Counted, name: string): void {
  const wait = attempts.wait({ address: browser.countedAs, account: { kind, realm: realm.name, name } });
  if (wait > 0) throw new PageRefusal(429, 'tooManyAttemptsMessage', String(wait));
}

/** Counts an attempt that failed, for its address and for its account. */
export const attemptFailed = ({ attempts, realm, browser }: Counting, kind: Counted, name: string): void =>
  attempts.failed({ address: browser.countedAs, account: { kind, realm: realm.name, name } });

/** Stores that something at a login was refused. */
export async function loginFailed(
  attempt: Attempt,
  error: string,
  more: Record<string, string> = {},
  type?: string,
): Promise<void> {
  const { services, realm, client, user, browser } = attempt;
  await recordFailure(services, realm, browser, {
    clientId: client.clientId,
    userId: user?.id,
    error,
    details: { ...eventDetails(attempt), ...more },
    type: type ?? failureType(attempt),
  });
}

/** What a refusal is called on the way that the user has taken. */
const failureType = ({ kept: { state } }: Attempt): string => (state.path ? failureTypes[state.path] : 'LOGIN_ERROR');

const failureTypes = {
  reset: 'RESET_PASSWORD_ERROR',
  registration: 'REGISTER_ERROR',
  firstBroker: 'IDENTITY_PROVIDER_FIRST_LOGIN_ERROR',
  postBroker: 'IDENTITY_PROVIDER_POST_LOGIN_ERROR',
  brokered: 'LOGIN_ERROR',
} as const;

/** Logs that a login was refused, and stores it if the realm keeps that. */
export async function recordFailure(
  services: Services,
  realm: RealmRecord,
  { ipAddress, requestId }: Sender,
  {
    type = 'LOGIN_ERROR',
    error,
    ...event
  }: Omit<LoginEvent, 'type' | 'ipAddress' | 'error'> & { type?: string; error: string },
): Promise<void> {
  const { clientId, userId, details } = event;
  const who = { client: clientId, user: details?.username ?? userId };
  logRefusedLogin(services, { realm: realm.name, ...who, reason: error, address: ipAddress, requestId });
  await recordLoginEvent(services, realm, { ...event, type, error, ipAddress });
}

/** The present time in seconds since 1970. */
export const atNow = ({ tokens }: LoginSite): number => seconds(tokens);

/** The users themselves as callers of what also administrators do. */
export const asUser = (
  { services, realm, client, browser }: Attempt,
  user: Pick<TokenUser, 'id' | 'username'>,
): Context => ({
  services,
  caller: {
    userId: user.id,
    username: user.username,
    realmId: realm.id,
    realmName: realm.name,
    clientId: client.clientId,
    tokenRoles: {},
    realmRoles: [],
  },
  requestId: services.newId(),
  ipAddress: browser.ipAddress,
  baseUrl: browser.baseUrl,
  permits: new Map(),
  unit: undefined,
  db: services.database.read,
  loaders: new Map(),
});
