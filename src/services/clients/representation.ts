import { z } from 'zod';
import { ResourceServerRepresentation } from '../authorization/representation.js';
import { ProtocolMapperRepresentation } from '../client-scopes/representation.js';
import { flag, type Input, int, list, record, representation, text, texts } from '../core/shape.js';

/** A map of texts in which null and an empty text say the same: there is to be no such entry. */
const clearable = z.preprocess(
  (value) => {
    if (Array.isArray(value) && value.length === 0) return {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, item ?? '']));
  },
  z.record(z.string(), text),
);

/** ClientRepresentation of the contract. `defaultRoles` is accepted and has no effect, as recorded. */
export const ClientRepresentation = representation('ClientRepresentation', {
  id: text,
  clientId: text,
  name: text,
  description: text,
  enabled: flag,
  protocol: text,
  clientAuthenticatorType: text,
  secret: text,
  registrationAccessToken: text,
  publicClient: flag,
  bearerOnly: flag,
  consentRequired: flag,
  standardFlowEnabled: flag,
  implicitFlowEnabled: flag,
  directAccessGrantsEnabled: flag,
  serviceAccountsEnabled: flag,
  oauth2DeviceAuthorizationGrantEnabled: flag,
  authorizationServicesEnabled: flag,
  frontchannelLogout: flag,
  fullScopeAllowed: flag,
  surrogateAuthRequired: flag,
  alwaysDisplayInConsole: flag,
  rootUrl: text,
  adminUrl: text,
  baseUrl: text,
  nodeReRegistrationTimeout: int,
  notBefore: int,
  redirectUris: texts,
  webOrigins: texts,
  attributes: clearable,
  authenticationFlowBindingOverrides: clearable,
  registeredNodes: record(int),
  defaultRoles: texts,
  defaultClientScopes: texts,
  optionalClientScopes: texts,
  protocolMappers: list(ProtocolMapperRepresentation),
  authorizationSettings: ResourceServerRepresentation,
  access: record(flag),
  origin: text,
});
export type ClientInput = Input<typeof ClientRepresentation>;
