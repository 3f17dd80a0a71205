import { errors } from 'jose';
import { z } from 'zod';
import { invalid as invalidSetting } from '../core/refusal.js';
import { asymmetricAlgorithms } from '../keys/jws.js';
import { findSubject } from './access.js';
import { claimsOfClient, NoClientToken } from './client-token.js';
import { issuerOf, type TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
import { findUserById, findUserByLogin } from './parties.js';
import { idTokenOfClient, verifiedToken } from './signature.js';
import type { TokenClient, TokenRealm, TokenUser } from './types.js';

interface Asked {
  realm: TokenRealm;
  client: TokenClient;
  form: URLSearchParams;
  baseUrl: string;
}

type Found = Promise<TokenUser | null | undefined>;

/** The parameters by which a client can name the user (OpenID Connect CIBA Core section 7.1). */
const userHints = ['login_hint', 'login_hint_token', 'id_token_hint'] as const;
type UserHint = (typeof userHints)[number];

/** Refuses a setting of a realm that is no hint. An empty one says the same as none. */
export function checkUserHint({ cibaAuthRequestedUserHint: hint = '' }: Readonly<Record<string, string>> = {}): void {
  if (hint !== '' && !userHints.some((known) => known === hint))
    throw invalidSetting(
      `\`cibaAuthRequestedUserHint\` must be one of ${userHints.join(', ')}`,
      'attributes.cibaAuthRequestedUserHint',
    );
}

const invalid = (name: UserHint) => oauthError(400, 'invalid_request', `Invalid parameter: ${name}`);

/** The claim `sub_id` of a `login_hint_token` (RFC 9493), in the formats that can name a user of the realm. */
const SubjectIdentifier = z.discriminatedUnion('format', [
  z.object({ format: z.literal('email'), email: z.string() }),
  z.object({ format: z.literal('iss_sub'), iss: z.string(), sub: z.string() }),
  z.object({ format: z.literal('opaque'), id: z.string() }),
]);

/**
 * The user whom a request for backchannel authentication names, by the one hint that the setting `cibaAuthRequestedUserHint` of the
 * realm says. Throws `invalid_request` for others, `expired_login_hint_token`, and `unknown_user_id`.
 */
export async function hintedUser(context: TokenContext, asked: Asked): Promise<TokenUser> {
  const { realm, form } = asked;
  const hint = userHints.find((name) => name === realm.attributes.cibaAuthRequestedUserHint) ?? 'login_hint';
  const other = userHints.find((name) => name !== hint && form.has(name));
  if (other) throw oauthError(400, 'invalid_request', `Parameter not supported: ${other}`);
  const text = form.get(hint);
  if (!text) throw oauthError(400, 'invalid_request', `Missing parameter: ${hint}`);
  const user = await byHint[hint](context, asked, text);
  if (!user?.enabled) throw oauthError(400, 'unknown_user_id', 'The user is not known', 'user_not_found');
  return user;
}

const byHint: Readonly<Record<UserHint, (context: TokenContext, asked: Asked, text: string) => Found>> = {
  login_hint: (context, { realm }, text) => findUserByLogin(context, realm, text),
  id_token_hint: userOfIdToken,
  login_hint_token: userOfHintToken,
};

/** The user of an ID token that the client has got from the realm, however old it is. */
async function userOfIdToken(context: TokenContext, { realm, client }: Asked, text: string): Found {
  const verified = (await verifiedToken(context, realm, ['id'], text)) ?? (await idTokenOfClient(context, realm, text));
  if (verified?.client !== client.id) throw invalid('id_token_hint');
  return findSubject(context, realm, client, verified.claims);
}

/** The user whom the client names in a token that it has signed: by address, by ID, or by username. */
async function userOfHintToken(context: TokenContext, { realm, client, baseUrl }: Asked, text: string): Found {
  const issuer = issuerOf(baseUrl, realm.name);
  const demanded = { issuer: client.clientId, audience: issuer, requiredClaims: ['exp', 'sub_id'] };
  const asked = { ...demanded, type: 'jwt', algorithms: [...asymmetricAlgorithms] };
  const { sub_id } = await claimsOfClient(context, client, text, asked).catch(refuseToken);
  const { data: subject } = SubjectIdentifier.safeParse(sub_id);
  if (!subject) throw invalid('login_hint_token');
  if (subject.format === 'email') return findUserByLogin(context, realm, subject.email);
  if (subject.format === 'opaque') return findUserByLogin(context, realm, subject.id);
  return subject.iss === issuer ? findUserById(context, realm, subject.sub) : undefined;
}

function refuseToken(error: unknown): never {
  if (error instanceof errors.JWTExpired)
    throw oauthError(400, 'expired_login_hint_token', 'The login_hint_token has expired');
  if (error instanceof errors.JOSEError || error instanceof NoClientToken || error instanceof TypeError)
    throw invalid('login_hint_token');
  throw error;
}
