import * as policies from '../services/client-policies/operations.js';
import {
  ClientPoliciesRepresentation,
  ClientProfilesRepresentation,
} from '../services/client-policies/representation.js';
import { below } from './place.js';
import { inRealm } from './realm.js';
import { flagParameter } from './request.js';
import { get, mergePatch, put } from './table.js';

const atPolicies = below(inRealm, '/client-policies/policies');
const atProfiles = below(inRealm, '/client-policies/profiles');

export const clientPolicyRoutes = [
  get(atPolicies, policies.getPolicies, { returns: ClientPoliciesRepresentation }),
  put(atPolicies, policies.setPolicies),
  mergePatch(atPolicies, policies.patchPolicies),
  get(atProfiles, policies.getProfiles, {
    returns: ClientProfilesRepresentation,
    query: ['include-global-profiles'],
    input: ({ query }) => ({ global: flagParameter(query, 'include-global-profiles') }),
  }),
  put(atProfiles, policies.setProfiles),
  mergePatch(atProfiles, policies.patchProfiles),
].flat();
