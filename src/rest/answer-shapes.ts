import { z } from 'zod';
import { ConfigPropertyRepresentation } from '../services/authentication/representation.js';
import {
  PolicyRepresentation,
  ResourceRepresentation,
  ScopeRepresentation,
} from '../services/authorization/representation.js';
import { flag, int, json, list, long, map, record, representation, text, texts } from '../services/core/shape.js';
import { ChangeAuthor } from '../services/realms/applied/representation.js';
import { actions, reasons } from '../services/realms/desired/describe.js';
import { objectKinds } from '../services/realms/desired/objects.js';
import { AccessToken } from './token-shapes.js';

// What only answers have: these shapes describe them in the OpenAPI document and decode nothing.

/** A file whose bytes are its own business. */
export const File = z.string().meta({ format: 'binary' });

/** The settings of a client as its adapter takes them: a text, or a file. */
export const Installation = z.string();

/** What a user storage calls itself. */
export const NamedThing = representation('NamedThing', { id: text, name: text });

/** How many there are. */
export const CountRepresentation = representation('CountRepresentation', { count: int });

/** GlobalRequestResult of the contract: which clients could be told, and which could not. */
export const GlobalRequestResult = representation('GlobalRequestResult', {
  successRequests: texts,
  failedRequests: texts,
});

/** How many sessions a client takes part in; the numbers are texts in the contract. */
export const ClientSessionStats = representation('ClientSessionStats', {
  id: text,
  clientId: text,
  active: text,
  offline: text,
});

/** Where the browser goes on as the other user. */
export const Impersonation = representation('Impersonation', { sameRealm: flag, redirect: text });

/** A kind of identity provider. */
export const IdentityProviderKind = representation('IdentityProviderKind', { id: text, name: text });

/** A kind of identity provider mapper, with its settings. */
export const IdentityProviderMapperType = representation('IdentityProviderMapperTypeRepresentation', {
  id: text,
  name: text,
  category: text,
  helpText: text,
  properties: list(ConfigPropertyRepresentation),
});

/** What a directory says that it can do. */
export const LdapCapability = representation('LDAPCapabilityRepresentation', {
  oid: text,
  type: z.enum(['CONTROL', 'EXTENSION', 'FEATURE', 'UNKNOWN']),
});

/** KeysMetadataRepresentation of the contract. */
export const KeysMetadata = representation('KeysMetadataRepresentation', {
  active: map,
  keys: list(
    representation('KeysMetadataRepresentation-KeyMetadataRepresentation', {
      providerId: text,
      providerPriority: long,
      kid: text,
      status: z.enum(['ACTIVE', 'PASSIVE', 'DISABLED']),
      type: text,
      algorithm: text,
      publicKey: text,
      certificate: text,
      use: z.enum(['SIG', 'ENC']),
    }),
  ),
});

/** PartialImportResults of the contract. */
export const PartialImportResults = representation('PartialImportResults', {
  overwritten: int,
  added: int,
  skipped: int,
  results: list(
    representation('PartialImportResult', {
      action: z.enum(['ADDED', 'OVERWRITTEN', 'SKIPPED']),
      resourceType: z.enum(['CLIENT', 'REALM_ROLE', 'CLIENT_ROLE', 'IDP', 'GROUP', 'USER']),
      resourceName: text,
      id: text,
    }),
  ),
});

const planFields = {
  digest: text,
  summary: representation('RealmPlanSummary', { create: int, update: int, delete: int, unchanged: int }),
  changes: list(
    representation('RealmPlanChange', {
      action: z.enum(actions),
      kind: z.enum(objectKinds),
      key: text,
      id: text,
      path: text,
      fields: list(
        representation('RealmPlanField', { path: texts, before: json, after: json, isSecret: flag, isUnknown: flag }),
      ),
      grants: texts,
      usersGaining: int,
      usersLosing: int,
      reason: z.enum(reasons),
      lastChangedAt: long,
      lastChangedBy: ChangeAuthor,
      dependsOn: list(representation('RealmPlanObject', { kind: z.enum(objectKinds), key: text })),
    }),
  ),
  warnings: texts,
  omitted: int,
};

/** What a file would change in a realm. */
export const RealmPlan = representation('RealmPlan', planFields);

/** What a file has changed in a realm. */
export const RealmApplied = representation('RealmApplied', planFields);

const decision = z.enum(['PERMIT', 'DENY']);
const policyResult = {
  policy: PolicyRepresentation,
  status: decision,
  scopes: texts,
};

/** PolicyEvaluationResponse of the contract. */
export const PolicyEvaluationResponse = representation('PolicyEvaluationResponse', {
  results: list(
    representation('EvaluationResultRepresentation', {
      resource: ResourceRepresentation,
      scopes: list(ScopeRepresentation),
      policies: list(
        representation('PolicyResultRepresentation', {
          ...policyResult,
          associatedPolicies: list(
            representation('AssociatedPolicyResult', { ...policyResult, associatedPolicies: list(json) }),
          ),
        }),
      ),
      status: decision,
      allowedScopes: list(ScopeRepresentation),
    }),
  ),
  entitlements: flag,
  status: decision,
  rpt: AccessToken,
});

/** What `whoami` answers. */
export const WhoAmI = representation('WhoAmI', {
  userId: text,
  realm: text,
  displayName: text,
  locale: text,
  createRealm: flag,
  realm_access: record(texts),
});
