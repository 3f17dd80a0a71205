import { limit } from '../../config/limits.js';
import { flag, type Input, json, listUpTo, representation, shortText, text, texts } from '../core/shape.js';

/** Most entries of each list: all of them are looked at when a client changes. */
const mostObjects = limit(
  'Objects',
  'Client profiles of a realm, client policies of a realm, and parts of each',
  1500,
  'entries',
);

const ClientPolicyConditionRepresentation = representation('ClientPolicyConditionRepresentation', {
  condition: text,
  configuration: json,
});
const ClientPolicyRepresentation = representation('ClientPolicyRepresentation', {
  name: shortText,
  description: text,
  enabled: flag,
  conditions: listUpTo(ClientPolicyConditionRepresentation, mostObjects),
  profiles: texts,
});
const ClientPolicyExecutorRepresentation = representation('ClientPolicyExecutorRepresentation', {
  executor: text,
  configuration: json,
});
const ClientProfileRepresentation = representation('ClientProfileRepresentation', {
  name: shortText,
  description: text,
  executors: listUpTo(ClientPolicyExecutorRepresentation, mostObjects),
});

/** ClientPoliciesRepresentation of the contract. */
export const ClientPoliciesRepresentation = representation('ClientPoliciesRepresentation', {
  policies: listUpTo(ClientPolicyRepresentation, mostObjects),
});

/** ClientProfilesRepresentation of the contract; the global profiles are the server's and never kept. */
export const ClientProfilesRepresentation = representation('ClientProfilesRepresentation', {
  profiles: listUpTo(ClientProfileRepresentation, mostObjects),
  globalProfiles: listUpTo(ClientProfileRepresentation, mostObjects),
});

export type ClientProfile = Input<typeof ClientProfileRepresentation>;
export type ClientPolicy = Input<typeof ClientPolicyRepresentation>;
