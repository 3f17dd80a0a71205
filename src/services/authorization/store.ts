import type { Prisma } from '../../generated/sqlite/client.js';

const owner = { select: { id: true, username: true } } as const;
const scopeOf = { select: { scope: { select: { id: true, name: true, iconUri: true } } } } as const;

/** What readers of a scope select. */
export const scopeSelect = {
  id: true,
  name: true,
  displayName: true,
  iconUri: true,
  version: true,
} as const satisfies Prisma.AuthorizationScopeSelect;

/** What readers of a resource select. */
export const resourceSelect = {
  id: true,
  name: true,
  displayName: true,
  type: true,
  iconUri: true,
  ownerId: true,
  ownerManagedAccess: true,
  attributes: true,
  version: true,
  resourceServerId: true,
  resourceServer: { select: { client: { select: { clientId: true } } } },
  user: owner,
  uris: { select: { value: true }, orderBy: { value: 'asc' } },
  scopes: { ...scopeOf, orderBy: { scope: { name: 'asc' } } },
} as const satisfies Prisma.AuthorizationResourceSelect;

/** Whom a policy names, with the names that exports have instead of ids. */
const subjectSelect = {
  subjectId: true,
  strong: true,
  user: { select: { username: true } },
  role: { select: { name: true, client: { select: { clientId: true } } } },
  group: { select: { path: true } },
  client: { select: { clientId: true } },
  clientScope: { select: { name: true } },
} as const satisfies Prisma.AuthorizationPolicySubjectSelect;

/** What readers of a policy or permission select. */
export const policySelect = {
  id: true,
  name: true,
  description: true,
  type: true,
  logic: true,
  decisionStrategy: true,
  resourceType: true,
  config: true,
  ownerId: true,
  version: true,
  subjects: { select: subjectSelect, orderBy: { subjectId: 'asc' } },
} as const satisfies Prisma.AuthorizationPolicySelect;

/** The same with everything that a policy is connected with, by name. */
export const wholePolicySelect = {
  ...policySelect,
  associated: {
    select: { associated: { select: { id: true, name: true } } },
    orderBy: { associated: { name: 'asc' } },
  },
  resources: { select: { resource: { select: { id: true, name: true } } }, orderBy: { resource: { name: 'asc' } } },
  scopes: { select: { scope: { select: { id: true, name: true } } }, orderBy: { scope: { name: 'asc' } } },
} as const satisfies Prisma.AuthorizationPolicySelect;

/** What an export of the settings reads of a resource server. */
export const wholeServerSelect = {
  id: true,
  allowRemoteResourceManagement: true,
  policyEnforcementMode: true,
  decisionStrategy: true,
  scopes: { select: scopeSelect, orderBy: { name: 'asc' } },
  resources: { select: resourceSelect, orderBy: { name: 'asc' } },
  policies: { where: { type: { not: 'uma' } }, select: wholePolicySelect, orderBy: { name: 'asc' } },
} as const satisfies Prisma.ResourceServerSelect;

export type ScopeRow = Prisma.AuthorizationScopeGetPayload<{ select: typeof scopeSelect }>;
export type ResourceRow = Prisma.AuthorizationResourceGetPayload<{ select: typeof resourceSelect }>;
export type PolicyRow = Prisma.AuthorizationPolicyGetPayload<{ select: typeof policySelect }>;
export type WholePolicyRow = Prisma.AuthorizationPolicyGetPayload<{ select: typeof wholePolicySelect }>;
export type WholeServerRow = Prisma.ResourceServerGetPayload<{ select: typeof wholeServerSelect }>;

/** Rows without those of several values a resource has, as updates replace them. */
export const resourceSearch = (name: string, type: string | null | undefined): string =>
  `${name.toLowerCase()}\n${(type ?? '').toLowerCase()}\n`;
