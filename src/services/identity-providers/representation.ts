import { flag, type Input, map, representation, text } from '../core/shape.js';

/** IdentityProviderRepresentation of the contract, with the two fields that only the wire shows. */
export const IdentityProviderRepresentation = representation('IdentityProviderRepresentation', {
  alias: text,
  displayName: text,
  internalId: text,
  providerId: text,
  enabled: flag,
  updateProfileFirstLoginMode: text,
  trustEmail: flag,
  storeToken: flag,
  addReadTokenRoleOnCreate: flag,
  authenticateByDefault: flag,
  linkOnly: flag,
  firstBrokerLoginFlowAlias: text,
  postBrokerLoginFlowAlias: text,
  config: map,
});
export type IdentityProviderInput = Input<typeof IdentityProviderRepresentation>;

/** IdentityProviderMapperRepresentation of the contract. */
export const IdentityProviderMapperRepresentation = representation('IdentityProviderMapperRepresentation', {
  id: text,
  name: text,
  identityProviderAlias: text,
  identityProviderMapper: text,
  config: map,
});
export type IdentityProviderMapperInput = Input<typeof IdentityProviderMapperRepresentation>;
