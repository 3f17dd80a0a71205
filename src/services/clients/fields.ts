import { z } from 'zod';
import { ResourceServerRepresentation } from '../authorization/representation.js';
import { ProtocolMapperRepresentation } from '../client-scopes/representation.js';
import type { Fields } from '../core/fields.js';
import {
  count,
  countedEntries,
  entryName,
  flag,
  idText,
  ignored,
  int,
  list,
  older,
  record,
  shortText,
  shortTexts,
  text,
  texts,
  textUpTo,
} from '../core/shape.js';

/** A map of texts in which null and an empty text say the same: there is to be no such entry. */
const clearableMap = (length: number) =>
  z.preprocess(
    (sent, context) => {
      const value = countedEntries(sent, context);
      if (value === z.NEVER) return value;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, item ?? '']));
    },
    z.record(entryName, textUpTo(length)),
  );

const stored = { isStored: true } as const;
const off = { shape: flag, isStored: true, initial: false } as const;
const optional = { shape: shortText, isStored: true, isNullable: true } as const;

/** The fields of a client. Those without an initial value get one from `clientColumns`. */
export const clientFields = {
  id: { shape: idText, description: 'ID of the client.' },
  clientId: {
    ...stored,
    shape: shortText.refine(
      // roles are listed by clientId, and no JSON object can safely have this key
      (value) => value !== '__proto__',
      'The name `__proto__` is not allowed',
    ),
    description: 'Client identifier used in OAuth and SAML requests, unique in the realm.',
    graph: { type: 'String', isRequired: true, isFiltered: true, isOrdered: true },
  },
  name: {
    ...optional,
    description: 'Display name of the client.',
    graph: { isFiltered: true, isOrdered: true },
  },
  description: { ...optional, description: 'Description of the client.', graph: {} },
  enabled: {
    ...stored,
    shape: flag,
    initial: true,
    description: 'Whether the client is enabled. A disabled client gets no tokens.',
    graph: { name: 'isEnabled' },
  },
  protocol: {
    ...stored,
    shape: text,
    isNullable: true,
    initial: 'openid-connect',
    description: 'Protocol of the client: `openid-connect` or `saml`.',
  },
  clientAuthenticatorType: {
    ...optional,
    initial: 'client-secret',
    description:
      'ID of the client authenticator, e.g. `client-secret` or `client-jwt`. Default for a new client: `client-secret`.',
    graph: { name: 'authenticator', group: 'authentication' },
  },
  secret: { shape: shortText, description: 'Secret of the client.' },
  // no field of the contract
  secretVersion: {
    ...stored,
    shape: count,
    initial: 0,
    description:
      'Version of the secret in realm files: an apply of a file with a higher one makes a new secret. Default for a new client: 0.',
    graph: { group: 'general' },
  },
  registrationAccessToken: { shape: text, description: 'Token by which the client can read and change itself.' },
  publicClient: { ...off, description: 'Whether the client is public: it cannot keep a secret.' },
  bearerOnly: { ...off, description: 'Whether the client accepts tokens but never requests one.' },
  consentRequired: {
    ...off,
    description: 'Whether users must consent before the client gets tokens. Default for a new client: false.',
    graph: { name: 'isRequired', group: 'consent' },
  },
  standardFlowEnabled: {
    ...stored,
    shape: flag,
    description: 'Authorization code flow. Default for a new client: true.',
    graph: { name: 'isStandardEnabled', group: 'flows' },
  },
  implicitFlowEnabled: {
    ...off,
    description: 'Implicit flow of OAuth 2.0. Default for a new client: false.',
    graph: { name: 'isImplicitEnabled', group: 'flows' },
  },
  directAccessGrantsEnabled: {
    ...stored,
    shape: flag,
    description: 'Resource owner password credentials grant (direct access grant). Default for a new client: false.',
    graph: { name: 'isDirectAccessEnabled', group: 'flows' },
  },
  serviceAccountsEnabled: {
    ...off,
    description: 'Client credentials grant, with a service account. Default for a new client: false.',
    graph: { name: 'isServiceAccountEnabled', group: 'flows' },
  },
  oauth2DeviceAuthorizationGrantEnabled: { shape: flag, description: 'Device authorization grant (RFC 8628).' },
  authorizationServicesEnabled: {
    ...stored,
    shape: flag,
    description:
      'Whether the client has authorization services: resources, policies, and permissions. Requires a service account. Default for a new client: false.',
    graph: { name: 'hasAuthorizationServices', group: 'general' },
  },
  frontchannelLogout: {
    ...off,
    description: 'Whether the browser of the user is sent to the client at a logout. Default for a new client: false.',
    graph: { name: 'isFrontChannelEnabled', group: 'logout' },
  },
  fullScopeAllowed: {
    ...stored,
    shape: flag,
    description:
      "Whether tokens contain all roles of the user, rather than only the roles in the client's scope. Default for a new client: true, unless users must consent.",
    graph: { name: 'allowsFullScope', group: 'general' },
  },
  surrogateAuthRequired: {
    ...off,
    description:
      'Whether the client requires surrogate authentication. Stored for adapters. Default for a new client: false.',
    graph: { name: 'requiresSurrogateAuth', group: 'general' },
  },
  alwaysDisplayInConsole: {
    ...off,
    description:
      'Whether the account console lists the client even before the user has used it. Default for a new client: false.',
    graph: { name: 'isAlwaysDisplayedInConsole', group: 'general' },
  },
  rootUrl: {
    ...optional,
    description: 'Root URL. Relative URLs of the client are resolved against it.',
    graph: { name: 'root', group: 'urls' },
  },
  adminUrl: {
    ...optional,
    description: 'Admin URL, to which the server sends logout and revocation requests.',
    graph: { name: 'admin', group: 'urls' },
  },
  baseUrl: {
    ...optional,
    description: 'Base URL, to which users are sent when they open the client.',
    graph: { name: 'base', group: 'urls' },
  },
  nodeReRegistrationTimeout: {
    ...stored,
    shape: int,
    initial: -1,
    description: 'Seconds after which a cluster node must register again. Null: never.',
    graph: { group: 'general', kind: 'seconds', none: -1 },
  },
  notBefore: {
    ...stored,
    shape: int,
    initial: 0,
    description: 'Tokens of the client that were issued before this time are not valid. Null: no limit.',
    graph: { group: 'general', kind: 'instant', none: 0 },
  },
  redirectUris: {
    ...stored,
    shape: shortTexts,
    initial: [],
    description: 'Allowed redirect URIs after a login. A trailing `*` is a wildcard.',
  },
  webOrigins: {
    ...stored,
    shape: shortTexts,
    description: 'Allowed origins for cross-origin requests (CORS). `+` stands for the origins of the redirect URIs.',
  },
  attributes: { shape: clearableMap(4000), description: 'Settings and custom attributes of the client, by name.' },
  authenticationFlowBindingOverrides: {
    shape: clearableMap(4000),
    description:
      'IDs of flows that the client uses in place of those of its realm, by use: `browser` and `direct_grant`.',
  },
  registeredNodes: {
    shape: record(int),
    description: 'Cluster nodes of the client, with the times of their registration in seconds since 1970.',
  },
  // accepted without effect, as recorded
  defaultRoles: { shape: texts },
  defaultClientScopes: { shape: texts, description: 'Names of the default client scopes of the client.' },
  optionalClientScopes: { shape: texts, description: 'Names of the optional client scopes of the client.' },
  protocolMappers: { shape: list(ProtocolMapperRepresentation), description: 'Protocol mappers of the client.' },
  authorizationSettings: {
    shape: ResourceServerRepresentation,
    description: 'Resources, scopes, policies, and permissions of the client.',
  },
  access: { shape: record(flag), description: 'Actions that the caller may perform on the client.' },
  origin: { shape: text },
  directGrantsOnly: { shape: older(flag) },
  clientTemplate: { shape: older(text) },
  useTemplateConfig: { shape: ignored },
  useTemplateScope: { shape: ignored },
  useTemplateMappers: { shape: ignored },
} as const satisfies Fields;
