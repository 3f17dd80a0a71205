import { flag, type Input, json, list, representation, text, texts } from '../core/shape.js';

const ClientPolicyConditionRepresentation = representation('ClientPolicyConditionRepresentation', {
  condition: text,
  configuration: json,
});
const ClientPolicyRepresentation = representation('ClientPolicyRepresentation', {
  name: text,
  description: text,
  enabled: flag,
  conditions: list(ClientPolicyConditionRepresentation),
  profiles: texts,
});
const ClientPolicyExecutorRepresentation = representation('ClientPolicyExecutorRepresentation', {
  executor: text,
  configuration: json,
});
const ClientProfileRepresentation = representation('ClientProfileRepresentation', {
  name: text,
  description: text,
  executors: list(ClientPolicyExecutorRepresentation),
});

/** ClientPoliciesRepresentation of the contract. */
export const ClientPoliciesRepresentation = representation('ClientPoliciesRepresentation', {
  policies: list(ClientPolicyRepresentation),
});

/** ClientProfilesRepresentation of the contract; the global profiles are the server's and never kept. */
export const ClientProfilesRepresentation = representation('ClientProfilesRepresentation', {
  profiles: list(ClientProfileRepresentation),
  globalProfiles: list(ClientProfileRepresentation),
});

export type ClientProfile = Input<typeof ClientProfileRepresentation>;
export type ClientPolicy = Input<typeof ClientPolicyRepresentation>;
