import { z } from 'zod';
import { ProtocolMapperRepresentation } from '../client-scopes/representation.js';
import { ClientRepresentation, clientShapes } from '../clients/representation.js';
import { flag, type Input, ignored, int, list, long, map, older, representation, text, texts } from '../core/shape.js';
import { GroupRepresentation } from '../groups/representation.js';
import { IdentityProviderRepresentation } from '../identity-providers/representation.js';
import { RolesRepresentation } from '../roles/representation.js';
import { UserRepresentation } from '../users/representation.js';

/**
 * ScopeMappingRepresentation of the contract: realm roles, or roles of the client under which it is listed, in the
 * scope of a client or client scope.
 */
export const ScopeMappingRepresentation = representation('ScopeMappingRepresentation', {
  self: text,
  client: text,
  clientScope: text,
  clientTemplate: older(text),
  roles: texts,
});
export type ScopeMappingInput = Input<typeof ScopeMappingRepresentation>;

/** UserFederationProviderRepresentation of the contract, from exports that are older than components. */
export const UserFederationProviderRepresentation = representation('UserFederationProviderRepresentation', {
  id: text,
  displayName: text,
  providerName: text,
  config: map,
  priority: int,
  fullSyncPeriod: int,
  changedSyncPeriod: int,
  lastSync: int,
});

/** UserFederationMapperRepresentation of the contract, from exports that are older than components. */
export const UserFederationMapperRepresentation = representation('UserFederationMapperRepresentation', {
  id: text,
  name: text,
  federationProviderDisplayName: text,
  federationMapperType: text,
  config: map,
});

/** A client as versions before 2 have it: its clientId is its name. */
export const ApplicationRepresentation = representation('ApplicationRepresentation', {
  ...clientShapes,
  claims: ignored,
});
/** A client that requires the consent of users, in the form of versions before 2. */
export const OAuthClientRepresentation = representation('OAuthClientRepresentation', {
  ...clientShapes,
  claims: ignored,
});

/** ClientTemplateRepresentation of the contract, from exports that are older than client scopes. */
export const ClientTemplateRepresentation = representation('ClientTemplateRepresentation', {
  id: text,
  name: text,
  description: text,
  protocol: text,
  protocolMappers: list(ProtocolMapperRepresentation),
  attributes: map,
  fullScopeAllowed: ignored,
  bearerOnly: ignored,
  consentRequired: ignored,
  standardFlowEnabled: ignored,
  implicitFlowEnabled: ignored,
  directAccessGrantsEnabled: ignored,
  serviceAccountsEnabled: ignored,
  publicClient: ignored,
  frontchannelLogout: ignored,
});

/** RealmEventsConfigRepresentation of the contract. */
export const RealmEventsConfigRepresentation = representation('RealmEventsConfigRepresentation', {
  eventsEnabled: flag,
  eventsExpiration: long,
  eventsListeners: texts,
  enabledEventTypes: texts,
  adminEventsEnabled: flag,
  adminEventsDetailsEnabled: flag,
});
export type EventsConfigInput = Input<typeof RealmEventsConfigRepresentation>;

/** The action of a partial import on an existing resource. */
const ImportPolicy = z.enum(['SKIP', 'OVERWRITE', 'FAIL']);

/** PartialImportRepresentation of the contract. Unknown fields are ignored, unlike everywhere else, as recorded. */
export const PartialImportRepresentation = z
  .object({
    ifResourceExists: ImportPolicy.nullish(),
    policy: ImportPolicy.nullish(),
    users: list(UserRepresentation).nullish(),
    clients: list(ClientRepresentation).nullish(),
    groups: list(GroupRepresentation).nullish(),
    identityProviders: list(IdentityProviderRepresentation).nullish(),
    roles: RolesRepresentation.nullish(),
  })
  .meta({ id: 'PartialImportRepresentation' });
