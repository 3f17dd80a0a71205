import { shapesOf } from '../core/fields.js';
import { type Input, representation } from '../core/shape.js';
import { type CredentialRepresentation, userFields } from './fields.js';

export { CredentialRepresentation, FederatedIdentityRepresentation, UserConsentRepresentation } from './fields.js';
export type CredentialInput = Input<typeof CredentialRepresentation>;

/** UserRepresentation of the contract. */
export const UserRepresentation = representation('UserRepresentation', shapesOf(userFields));
export type UserInput = Input<typeof UserRepresentation>;
