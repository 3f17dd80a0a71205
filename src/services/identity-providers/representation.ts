import { type Input, ignored, map, plainFlag, representation, shortText, text } from '../core/shape.js';

/** IdentityProviderRepresentation of the contract, with the two fields that only the wire shows. */
export const IdentityProviderRepresentation = representation('IdentityProviderRepresentation', {
  alias: shortText,
  displayName: shortText,
  internalId: text,
  providerId: text,
  enabled: plainFlag,
  updateProfileFirstLoginMode: text,
  updateProfileFirstLogin: ignored,
  trustEmail: plainFlag,
  storeToken: plainFlag,
  addReadTokenRoleOnCreate: plainFlag,
  authenticateByDefault: plainFlag,
  linkOnly: plainFlag,
  firstBrokerLoginFlowAlias: text,
  postBrokerLoginFlowAlias: text,
  config: map,
});
export type IdentityProviderInput = Input<typeof IdentityProviderRepresentation>;

/** IdentityProviderMapperRepresentation of the contract. */
export const IdentityProviderMapperRepresentation = representation('IdentityProviderMapperRepresentation', {
  id: text,
  name: shortText,
  identityProviderAlias: shortText,
  identityProviderMapper: text,
  config: map,
});
