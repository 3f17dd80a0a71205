import type { Binding } from './binding.js';
import type { FindCertificate } from './client-certificate.js';
import type { TokenContext } from './context.js';
import type { TokenResponse } from './issue.js';
import type { TokenSession } from './lifetimes.js';
import type { ScopeChoice } from './scopes.js';
import type { EffectiveRoles, TokenClient, TokenGroup, TokenRealm, TokenUser } from './types.js';

/** A request to the token endpoint on its way: each step adds what it found out. */
export interface Grant {
  readonly context: TokenContext;
  readonly realm: TokenRealm;
  readonly client: TokenClient;
  readonly form: URLSearchParams;
  readonly baseUrl: string;
  readonly remoteAddress: string | undefined;
  /** seconds since 1970 */
  readonly at: number;
  /** the header `DPoP` (RFC 9449) */
  readonly proof?: string | undefined;
  readonly findCertificate?: FindCertificate | undefined;
  boundTo?: Binding;
  /** the resources that the code or the refresh token is for (RFC 8707); nothing if it is for all */
  resources?: readonly string[] | undefined;
  scope?: ScopeChoice;
  user?: TokenUser;
  session?: TokenSession;
  /** when the user has proved who it is, where that was somewhere else, in seconds since 1970 */
  authTime?: number;
  /** whether the client policies of the realm demand access tokens with few claims */
  readonly lightweight?: true | undefined;
  /** types of the credentials that the user has shown besides the password */
  shown?: readonly string[];
  roles?: EffectiveRoles;
  /** the groups of the user, as far as protocol mappers ask for them */
  groups?: readonly TokenGroup[];
  /** false for a grant whose session ends with the answer */
  refreshable: boolean;
  /** what the login event will tell */
  readonly details: Record<string, string | undefined>;
  /** the refresh token that came in; its time is in seconds since 1970 */
  usedToken?: { id: string; issuedAt: number };
  /** id of the refresh token that goes out */
  refreshTokenId?: string;
  answer?: TokenResponse;
}

/** One step of a grant. It throws the refusal when the request may not go on. */
export interface Step {
  readonly name: string;
  run(grant: Grant): void | Promise<void>;
}

/** Whom a grant is for, and what happens in the order of the steps. */
export interface GrantKind {
  /** type of the login event, without `_ERROR` */
  readonly event: string;
  readonly steps: readonly Step[];
}

/** Takes the steps one after the other and returns the answer of the last. */
export async function take(steps: readonly Step[], grant: Grant): Promise<TokenResponse> {
  for (const step of steps) await step.run(grant);
  return found(grant.answer);
}

/** What an earlier step has found out. That it is missing is an error in a list of steps. */
export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A step of a grant runs before a step that it depends on');
  return value;
}
