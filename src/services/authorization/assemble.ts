import type { ModelName } from '../../database/db.js';
import { inTurns, type Pause } from '../../database/turns.js';
import { inPlace } from '../core/batch.js';
import type { FileIds } from '../core/own-id.js';
import { invalid } from '../core/refusal.js';
import type { Resolve } from './references.js';
import { type ResourceInput, type ResourceServerInput, type ScopeInput, sentId } from './representation.js';
import {
  type AuthorizationRows,
  noRows,
  policyColumns,
  requireSubjects,
  resourceColumns,
  scopeColumns,
  subjectRows,
  urisOf,
} from './rows.js';
import { type Rule, ruleOf } from './rule.js';

/** The objects of a resource server before an import, by name. */
export interface KnownNames {
  scopes: ReadonlyMap<string, string>;
  /** by owner and name, as `<owner ID> <name>` */
  resources: ReadonlyMap<string, string>;
  policies: ReadonlyMap<string, string>;
}

interface Around {
  resourceServerId: string;
  known: KnownNames;
  resolve: Resolve;
  ids: Pick<FileIds, 'of' | 'now'>;
  /** whether policies may have no subjects, because these may have been deleted */
  mayBeEmpty?: boolean | undefined;
  pause: Pause;
}

/** The rules of the policies in settings. The objects that they name are looked up before the rows are assembled. */
export const rulesOf = ({ policies = [] }: ResourceServerInput, pause: Pause): Promise<Rule[]> =>
  inTurns(
    [...policies.entries()],
    ([index, policy]) => inPlace(['policies', String(index)], () => ruleOf(policy)),
    pause,
  );

/** The owners of the resources in settings, by name or ID. */
export const ownersOf = ({ resources = [] }: ResourceServerInput) =>
  resources.flatMap(({ owner }) => {
    const reference = owner?.name ?? owner?.id;
    return reference === undefined ? [] : [{ kind: 'user' as const, reference, strong: false }];
  });

/**
 * The rows that settings add to a resource server. Existing objects with the same names stay unchanged. Throws
 * `invalid` for an unknown name, with its place in the settings.
 */
export async function assemble(settings: ResourceServerInput, around: Around): Promise<AuthorizationRows> {
  const rows = noRows();
  const names = {
    scopes: new Map(around.known.scopes),
    resources: new Map(around.known.resources),
    policies: new Map(around.known.policies),
  };
  const { resourceServerId, ids, pause } = around;

  const addScope = (scope: ScopeInput, field: string): string => {
    if (scope.name === undefined) throw invalid('`name` of the scope is required', `${field}.name`);
    const known = names.scopes.get(scope.name);
    if (known !== undefined) return known;
    const id = ids.of('AuthorizationScope', scope.id);
    rows.AuthorizationScope.push({ id, resourceServerId, ...scopeColumns(scope, scope.name) });
    names.scopes.set(scope.name, id);
    return id;
  };

  const addResource = (resource: ResourceInput, field: string): void => {
    if (resource.name === undefined) throw invalid('`name` of the resource is required', `${field}.name`);
    const owner = resource.owner?.name ?? resource.owner?.id;
    const ofServer = owner === undefined || owner === resourceServerId;
    const userId = ofServer
      ? null
      : around.resolve({ kind: 'user', reference: owner, strong: false, field: `${field}.owner` });
    const ownerId = userId ?? resourceServerId;
    const key = `${ownerId} ${resource.name}`;
    if (names.resources.has(key)) return;
    const id = ids.of('AuthorizationResource', sentId(resource), '_id');
    names.resources.set(key, id);
    rows.AuthorizationResource.push({
      id,
      resourceServerId,
      ownerId,
      userId,
      attributes: {},
      ...resourceColumns(resource, resource.name),
    });
    rows.AuthorizationResourceUri.push(...urisOf(resource).map((value) => ({ resourceId: id, value })));
    const scopes = new Set((resource.scopes ?? []).map((scope, index) => addScope(scope, `${field}.scopes.${index}`)));
    rows.AuthorizationResourceScope.push(...[...scopes].map((scopeId) => ({ resourceId: id, scopeId })));
  };

  for (const [index, scope] of (settings.scopes ?? []).entries()) {
    await pause();
    addScope(scope, `scopes.${index}`);
  }
  for (const [index, resource] of (settings.resources ?? []).entries()) {
    await pause();
    addResource(resource, `resources.${index}`);
  }

  const fresh: { rule: Rule; id: string; fieldOf: FieldOf }[] = [];
  for (const [index, rule] of (await rulesOf(settings, pause)).entries()) {
    await pause();
    const place = ['policies', String(index)];
    if (rule.name === undefined) throw invalid('`name` of the policy is required', `policies.${index}.name`);
    if (names.policies.has(rule.name)) continue;
    const id = ids.of('AuthorizationPolicy', rule.id);
    names.policies.set(rule.name, id);
    if (!around.mayBeEmpty) inPlace(place, () => requireSubjects(rule));
    rows.AuthorizationPolicy.push({ id, resourceServerId, ...policyColumns(rule, rule.name) });
    const subjects = inPlace(place, () => subjectRows(id, rule.subjects ?? [], around.resolve));
    rows.AuthorizationPolicySubject.push(...subjects);
    const given = settings.policies?.[index] ?? {};
    const fieldOf: FieldOf = (list, entry) => [...place, ...(given[list] ? [list] : ['config', entry])].join('.');
    fresh.push({ rule, id, fieldOf });
  }
  // policies may name later policies
  const given = idsIn(names);
  for (const { rule, id: policyId, fieldOf } of fresh) {
    await pause();
    const links = linksOf(rule, resourceServerId, { names, given, now: ids.now }, fieldOf);
    rows.AuthorizationPolicyResource.push(...links.resources.map((resourceId) => ({ policyId, resourceId })));
    rows.AuthorizationPolicyScope.push(...links.scopes.map((scopeId) => ({ policyId, scopeId })));
    rows.AuthorizationPolicyUse.push(...links.associated.map((associatedId) => ({ policyId, associatedId })));
  }
  return rows;
}

/** The field of a policy's references: a separate list, or an entry of its `config`. */
type FieldOf = (list: 'resources' | 'scopes' | 'policies', entry: string) => string;

/** The IDs of the named objects: a reference may be one of them. */
const idsIn = ({ resources, scopes, policies }: KnownNames) => ({
  resources: new Set(resources.values()),
  scopes: new Set(scopes.values()),
  policies: new Set(policies.values()),
});

/** The names and IDs to which references of policies are resolved. */
interface Known {
  names: KnownNames;
  given: ReturnType<typeof idsIn>;
  now: FileIds['now'];
}

/** The IDs of the resources, scopes and policies that a rule names. */
function linksOf(
  { resources, scopes, associated }: Rule,
  ownerId: string,
  { names, given, now }: Known,
  fieldOf: FieldOf,
) {
  const find = (wanted: string[] | undefined, { known, ids, kind, what, field, prefix = '' }: Findable) =>
    (wanted ?? []).map((name) => {
      const id = now(kind, name);
      const found = known.get(prefix + name) ?? (ids.has(id) ? id : undefined);
      if (found === undefined) throw invalid(`The ${what} "${name}" does not exist`, field);
      return found;
    });
  const { resources: ofResources, scopes: ofScopes, policies } = names;
  const prefix = `${ownerId} `;
  const found = {
    resources: find(resources, {
      known: ofResources,
      ids: given.resources,
      kind: 'AuthorizationResource',
      what: 'resource',
      field: fieldOf('resources', 'resources'),
      prefix,
    }),
    scopes: find(scopes, {
      known: ofScopes,
      ids: given.scopes,
      kind: 'AuthorizationScope',
      what: 'scope',
      field: fieldOf('scopes', 'scopes'),
    }),
    associated: find(associated, {
      known: policies,
      ids: given.policies,
      kind: 'AuthorizationPolicy',
      what: 'policy',
      field: fieldOf('policies', 'applyPolicies'),
    }),
  };
  return {
    resources: [...new Set(found.resources)],
    scopes: [...new Set(found.scopes)],
    associated: [...new Set(found.associated)],
  };
}

interface Findable {
  /** IDs by name */
  known: ReadonlyMap<string, string>;
  ids: ReadonlySet<string>;
  kind: ModelName;
  what: string;
  /** the field in the policy */
  field: string;
  /** the prefix of the names */
  prefix?: string;
}
