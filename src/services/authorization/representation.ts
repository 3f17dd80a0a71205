import { z } from 'zod';
import { limit } from '../../config/limits.js';
import {
  flag,
  type Input,
  json,
  list,
  listUpTo,
  longMap,
  multimap,
  representation,
  shortText,
  text,
  texts,
  textsUpTo,
} from '../core/shape.js';

const enforcement = z.enum(['ENFORCING', 'PERMISSIVE', 'DISABLED']);
const logic = z.enum(['POSITIVE', 'NEGATIVE']);
const decisionStrategy = z.enum(['AFFIRMATIVE', 'UNANIMOUS', 'CONSENSUS']);

/** A text stands for a scope with that name. */
const named = (value: unknown): unknown => (typeof value === 'string' ? { name: value } : value);

/** ScopeRepresentation of the contract. */
export const ScopeRepresentation = representation('ScopeRepresentation', {
  id: text,
  name: shortText,
  displayName: shortText,
  iconUri: text,
  policies: json,
  resources: json,
});
export type ScopeInput = Input<typeof ScopeRepresentation>;

const ScopeReference = z.preprocess(named, ScopeRepresentation);

/** An owner by ID or, if the contract allows it, by name; a plain text may be either. */
const ResourceOwner = z.preprocess(
  (value) => (typeof value === 'string' ? { id: value, name: value } : value),
  representation('ResourceOwnerRepresentation', { id: text, name: shortText }),
);

/** Addresses and scopes that one resource may have: evaluations look at all of them. */
const mostParts = limit('Authorization services', 'Addresses of a resource, and scopes of a resource', 1000, 'entries');

/** ResourceRepresentation of the contract; its ID is `_id` on the wire. */
export const ResourceRepresentation = representation('ResourceRepresentation', {
  _id: text,
  /** the ID; `_id` in the documents */
  id: text,
  name: shortText,
  displayName: shortText,
  type: shortText,
  uri: text,
  uris: textsUpTo(mostParts),
  icon_uri: text,
  owner: ResourceOwner,
  ownerManagedAccess: flag,
  scopes: listUpTo(ScopeReference, mostParts),
  /** the name of the scopes in the protection API */
  resource_scopes: listUpTo(ScopeReference, mostParts),
  scopesUma: listUpTo(ScopeReference, mostParts),
  attributes: multimap,
});
export type ResourceInput = Input<typeof ResourceRepresentation>;

/** The ID that a resource was sent with, under either name. */
export const sentId = ({ _id, id }: Pick<ResourceInput, '_id' | 'id'>): string | undefined => _id ?? id;

/** The common fields of all shapes of policies and permissions. */
export const policyFields = {
  id: text,
  name: shortText,
  description: text,
  type: shortText,
  logic,
  decisionStrategy,
  owner: text,
  policies: texts,
  resources: texts,
  scopes: texts,
};

/** PolicyRepresentation of the contract, for policies and permissions of every type. */
export const PolicyRepresentation = representation('PolicyRepresentation', {
  ...policyFields,
  resourcesData: list(ResourceRepresentation),
  scopesData: list(ScopeRepresentation),
  config: longMap,
});
export type PolicyInput = Input<typeof PolicyRepresentation>;

/** ResourceServerRepresentation of the contract: the authorization services of a client. */
export const ResourceServerRepresentation = representation('ResourceServerRepresentation', {
  id: text,
  clientId: text,
  name: shortText,
  allowRemoteResourceManagement: flag,
  policyEnforcementMode: enforcement,
  decisionStrategy,
  resources: list(ResourceRepresentation),
  policies: list(PolicyRepresentation),
  scopes: list(ScopeRepresentation),
});
export type ResourceServerInput = Input<typeof ResourceServerRepresentation>;
