import { shapesOf } from '../core/fields.js';
import { type Input, map, representation, shortText, text } from '../core/shape.js';
import { identityProviderFields } from './fields.js';

/** IdentityProviderRepresentation of the contract. */
export const IdentityProviderRepresentation = representation(
  'IdentityProviderRepresentation',
  shapesOf(identityProviderFields),
);
export type IdentityProviderInput = Input<typeof IdentityProviderRepresentation>;

/** IdentityProviderMapperRepresentation of the contract. */
export const IdentityProviderMapperRepresentation = representation('IdentityProviderMapperRepresentation', {
  id: text,
  name: shortText,
  identityProviderAlias: shortText,
  identityProviderMapper: text,
  config: map,
});
