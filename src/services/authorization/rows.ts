import type { CreateManyRow, Db, ModelName } from '../../database/db.js';
import { delegateOf } from '../../database/delegate.js';
import { invalid, requireAll } from '../core/refusal.js';
import { policyType, subjectLists } from './policy-types.js';
import type { Resolve } from './references.js';
import type { ResourceInput, ScopeInput } from './representation.js';
import type { Rule, SubjectReference } from './rule.js';
import { resourceSearch } from './store.js';

/** The models of a resource server, in an order in which every foreign key points to an earlier row. */
const models = [
  'AuthorizationScope',
  'AuthorizationResource',
  'AuthorizationResourceUri',
  'AuthorizationResourceScope',
  'AuthorizationPolicy',
  'AuthorizationPolicySubject',
  'AuthorizationPolicyResource',
  'AuthorizationPolicyScope',
  'AuthorizationPolicyUse',
] as const satisfies ModelName[];

/** New rows of resource servers by model. */
export type AuthorizationRows = { [M in (typeof models)[number]]: CreateManyRow<M>[] };

/** An empty list of rows for each table of authorization services. */
export const noRows = (): AuthorizationRows => ({
  AuthorizationScope: [],
  AuthorizationResource: [],
  AuthorizationResourceUri: [],
  AuthorizationResourceScope: [],
  AuthorizationPolicy: [],
  AuthorizationPolicySubject: [],
  AuthorizationPolicyResource: [],
  AuthorizationPolicyScope: [],
  AuthorizationPolicyUse: [],
});

/** Inserts rows of resource servers, one statement for each table that has any. */
export async function insertRows(tx: Db, servers: readonly AuthorizationRows[]): Promise<void> {
  for (const model of models) {
    const data = servers.flatMap((rows): object[] => rows[model]);
    if (data.length > 0) await delegateOf(tx, model).createMany({ data });
  }
}

/** The columns of a scope. */
export const scopeColumns = (scope: ScopeInput, name: string) => ({
  name,
  displayName: scope.displayName ?? null,
  iconUri: scope.iconUri ?? null,
  search: name.toLowerCase(),
});

/** The columns of a resource without its owner, and the attributes if they are given. */
export const resourceColumns = (resource: ResourceInput, name: string) => ({
  name,
  displayName: resource.displayName ?? null,
  type: resource.type ?? null,
  iconUri: resource.icon_uri ?? null,
  ownerManagedAccess: resource.ownerManagedAccess ?? false,
  ...(resource.attributes && {
    attributes: Object.fromEntries(Object.entries(resource.attributes).filter(([, values]) => values.length > 0)),
  }),
  search: resourceSearch(name, resource.type),
});

/** The URIs of a resource, even if only the old field `uri` has one. */
export const urisOf = ({ uris, uri }: ResourceInput): string[] => [
  ...new Set(uris ?? (uri === undefined ? [] : [uri])),
];

/** The columns of a policy. Values of `before` stay if the type keeps entries that are not given. */
export const policyColumns = (rule: Rule, name: string, before?: Record<string, string>) => ({
  name,
  description: rule.description ?? null,
  type: rule.type,
  logic: rule.logic,
  decisionStrategy: rule.decisionStrategy,
  resourceType: rule.resourceType ?? null,
  // the claim of a group policy stays unless another one is given
  config: { ...(before?.groupsClaim !== undefined && { groupsClaim: before.groupsClaim }), ...rule.config },
  search: name.toLowerCase(),
});

const columnOf = {
  role: 'roleId',
  user: 'userId',
  group: 'groupId',
  client: 'clientId',
  'client-scope': 'clientScopeId',
};

/** The rows of the subjects that a policy names. */
export function subjectRows(policyId: string, subjects: readonly SubjectReference[], resolve: Resolve) {
  const rows = new Map<string, CreateManyRow<'AuthorizationPolicySubject'>>();
  const add = (subject: SubjectReference) => {
    const subjectId = resolve(subject);
    const empty = { userId: null, roleId: null, groupId: null, clientId: null, clientScopeId: null };
    rows.set(subjectId, {
      policyId,
      subjectId,
      ...empty,
      [columnOf[subject.kind]]: subjectId,
      strong: subject.strong,
    });
  };
  requireAll(...subjects.map((subject) => () => add(subject)));
  return [...rows.values()];
}

/** Refuses a policy without subjects whose type requires them, as the contract does. */
export function requireSubjects({ type, subjects }: Rule): void {
  const known = policyType(type);
  if (known?.needsSubjects && !subjects?.length) {
    throw invalid(
      `A policy of type ${type} requires at least one ${type}`,
      known.subjects ? subjectLists[known.subjects] : undefined,
    );
  }
}
