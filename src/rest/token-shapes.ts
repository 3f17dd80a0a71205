import { z } from 'zod';
import { flag, json, list, long, record, text, texts } from '../services/core/shape.js';

// The tokens that evaluate-scopes shows: these shapes describe them in the OpenAPI document and decode nothing.

/** A document with these members, all optional, beside any others that mappers write. */
const claims = <Fields extends Record<string, z.ZodType>>(name: string, fields: Fields) =>
  z
    .looseObject(Object.fromEntries(Object.entries(fields).map(([key, shape]) => [key, shape.optional()])))
    .meta({ id: name });

const AddressClaimSet = claims('AddressClaimSet', {
  formatted: text,
  street_address: text,
  locality: text,
  region: text,
  postal_code: text,
  country: text,
});

const category = z.enum(['INTERNAL', 'ACCESS', 'ID', 'ADMIN', 'USERINFO', 'LOGOUT', 'AUTHORIZATION_RESPONSE']);

/** Claims about the user, OpenID Connect Core 1.0 section 5.1. */
const aboutUser = {
  sub: text,
  name: text,
  given_name: text,
  family_name: text,
  middle_name: text,
  nickname: text,
  preferred_username: text,
  profile: text,
  picture: text,
  website: text,
  email: text,
  email_verified: flag,
  gender: text,
  birthdate: text,
  zoneinfo: text,
  locale: text,
  phone_number: text,
  phone_number_verified: flag,
  address: AddressClaimSet,
  updated_at: long,
  claims_locales: text,
};

/** Claims of a token, RFC 7519 section 4.1, and of an ID token, OpenID Connect Core 1.0 section 2. */
const ofToken = {
  ...aboutUser,
  jti: text,
  iss: text,
  aud: z.union([z.string(), texts]),
  exp: long,
  iat: long,
  nbf: long,
  typ: text,
  azp: text,
  auth_time: long,
  nonce: text,
  acr: text,
  at_hash: text,
  c_hash: text,
  s_hash: text,
  sid: text,
  session_state: text,
  category,
  otherClaims: record(json),
};

const Permission = claims('Permission', { rsid: text, rsname: text, scopes: texts, claims: record(texts) });
const Access = claims('AccessToken-Access', { roles: texts, verify_caller: flag });

/** AccessToken of the contract. */
export const AccessToken = claims('AccessToken', {
  ...ofToken,
  scope: text,
  'allowed-origins': texts,
  'trusted-certs': texts,
  realm_access: Access,
  resource_access: record(Access),
  authorization: claims('AccessToken-Authorization', { permissions: list(Permission) }),
  cnf: claims('AccessToken-CertConf', { 'x5t#S256': text }),
});

/** IDToken of the contract. */
export const IDToken = claims('IDToken', ofToken);

/** What the userinfo endpoint answers. */
export const UserInfo = claims('UserInfo', { ...aboutUser, iss: text, aud: z.union([z.string(), texts]) });
