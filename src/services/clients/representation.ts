import { z } from 'zod';
import { ResourceServerRepresentation } from '../authorization/representation.js';
import { ProtocolMapperRepresentation } from '../client-scopes/representation.js';
import {
  count,
  countedEntries,
  entryName,
  flag,
  type Input,
  idText,
  ignored,
  int,
  list,
  older,
  record,
  representation,
  shortText,
  shortTexts,
  text,
  texts,
  textUpTo,
} from '../core/shape.js';

/** A map of texts in which null and an empty text say the same: there is to be no such entry. */
const clearable = (length: number) =>
  z.preprocess(
    (sent, context) => {
      const value = countedEntries(sent, context);
      if (value === z.NEVER) return value;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, item ?? '']));
    },
    z.record(entryName, textUpTo(length)),
  );

/** The fields of ClientRepresentation. `defaultRoles` is accepted and has no effect, as recorded. */
export const clientFields = {
  id: idText,
  clientId: shortText.refine(
    // roles are listed by clientId, and no JSON object can safely have this key
    (value) => value !== '__proto__',
    'The name `__proto__` is not allowed',
  ),
  name: shortText,
  description: shortText,
  enabled: flag,
  protocol: text,
  clientAuthenticatorType: shortText,
  secret: shortText,
  /** not of the contract: a realm file with a higher one makes a new secret */
  secretVersion: count,
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
  rootUrl: shortText,
  adminUrl: shortText,
  baseUrl: shortText,
  nodeReRegistrationTimeout: int,
  notBefore: int,
  redirectUris: shortTexts,
  webOrigins: shortTexts,
  attributes: clearable(4000),
  authenticationFlowBindingOverrides: clearable(4000),
  registeredNodes: record(int),
  defaultRoles: texts,
  defaultClientScopes: texts,
  optionalClientScopes: texts,
  protocolMappers: list(ProtocolMapperRepresentation),
  authorizationSettings: ResourceServerRepresentation,
  access: record(flag),
  origin: text,
  directGrantsOnly: older(flag),
  clientTemplate: older(text),
  useTemplateConfig: ignored,
  useTemplateScope: ignored,
  useTemplateMappers: ignored,
};

/** ClientRepresentation of the contract. */
export const ClientRepresentation = representation('ClientRepresentation', clientFields);
export type ClientInput = Input<typeof ClientRepresentation>;
