import { z } from 'zod';
import { flag, json, list, map, multimap, representation, text, texts } from '../core/shape.js';

const decisionStrategy = z.enum(['AFFIRMATIVE', 'UNANIMOUS', 'CONSENSUS']);

/** ScopeRepresentation of the contract. */
export const ScopeRepresentation = representation('ScopeRepresentation', {
  id: text,
  name: text,
  displayName: text,
  iconUri: text,
  policies: json,
  resources: json,
});

/** ResourceRepresentation of the contract; its id is `_id` on the wire. */
export const ResourceRepresentation = representation('ResourceRepresentation', {
  _id: text,
  id: text,
  name: text,
  displayName: text,
  type: text,
  uri: text,
  uris: texts,
  icon_uri: text,
  owner: json,
  ownerManagedAccess: flag,
  scopes: list(ScopeRepresentation),
  scopesUma: json,
  attributes: multimap,
});

/** PolicyRepresentation of the contract, for policies and permissions of every type. */
export const PolicyRepresentation = representation('PolicyRepresentation', {
  id: text,
  name: text,
  description: text,
  type: text,
  logic: z.enum(['POSITIVE', 'NEGATIVE']),
  decisionStrategy,
  owner: text,
  policies: texts,
  resources: texts,
  scopes: texts,
  resourcesData: list(ResourceRepresentation),
  scopesData: list(ScopeRepresentation),
  config: map,
});

/** ResourceServerRepresentation of the contract: the authorization services of a client. */
export const ResourceServerRepresentation = representation('ResourceServerRepresentation', {
  id: text,
  clientId: text,
  name: text,
  allowRemoteResourceManagement: flag,
  policyEnforcementMode: z.enum(['ENFORCING', 'PERMISSIVE', 'DISABLED']),
  decisionStrategy,
  resources: list(ResourceRepresentation),
  policies: list(PolicyRepresentation),
  scopes: list(ScopeRepresentation),
});
