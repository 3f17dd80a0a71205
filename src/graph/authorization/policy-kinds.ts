import { invalid } from '../../services/core/refusal.js';
import { type NodeId, nodeId, parseId } from '../core/node.js';

/** A type of policy or permission, with the object type that it has here. */
export interface PolicyKind {
  /** the stored type; undefined for all unlisted types */
  type: string | undefined;
  /** name of the object type */
  name: string;
  /** the enum value by which lists can be filtered, for types that lists contain */
  value?: string;
  description: string;
}

const other = 'OtherAuthorizationPolicy';

/** Every object type of policies and permissions. */
export const policyKinds = [
  {
    type: 'role',
    name: 'RoleAuthorizationPolicy',
    value: 'ROLE',
    description: 'A policy that grants access to users with certain roles.',
  },
  {
    type: 'user',
    name: 'UserAuthorizationPolicy',
    value: 'USER',
    description: 'A policy that grants access to users.',
  },
  {
    type: 'client',
    name: 'ClientAuthorizationPolicy',
    value: 'CLIENT',
    description: 'A policy that grants access to clients.',
  },
  {
    type: 'group',
    name: 'GroupAuthorizationPolicy',
    value: 'GROUP',
    description: 'A policy that grants access to members of groups.',
  },
  {
    type: 'client-scope',
    name: 'ClientScopeAuthorizationPolicy',
    value: 'CLIENT_SCOPE',
    description: 'A policy that grants access to tokens with certain client scopes.',
  },
  {
    type: 'time',
    name: 'TimeAuthorizationPolicy',
    value: 'TIME',
    description: 'A policy that grants access at certain times. All its conditions must match.',
  },
  {
    type: 'regex',
    name: 'RegexAuthorizationPolicy',
    value: 'REGEX',
    description: 'A policy that grants access if a claim of the token matches a regular expression.',
  },
  {
    type: 'aggregate',
    name: 'AggregatedAuthorizationPolicy',
    value: 'AGGREGATED',
    description: 'A policy that combines the decisions of its associated policies.',
  },
  {
    type: 'js',
    name: 'ScriptAuthorizationPolicy',
    value: 'SCRIPT',
    description: 'A policy with a script, which an import can contain. Scripts are stored, but not run.',
  },
  {
    type: 'resource',
    name: 'ResourceAuthorizationPermission',
    value: 'RESOURCE',
    description: 'A permission that applies policies to resources, or to all resources of a type.',
  },
  {
    type: 'scope',
    name: 'ScopeAuthorizationPermission',
    value: 'SCOPE',
    description: 'A permission that applies policies to scopes, of all resources or of certain ones.',
  },
  {
    type: 'uma',
    name: 'UmaAuthorizationPermission',
    description: 'A permission by which the owner of a resource shares it with others (User-Managed Access).',
  },
  { type: undefined, name: other, description: 'A policy of a type that the schema does not support.' },
] as const satisfies readonly PolicyKind[];

/** Names of the object types of policies and permissions. */
export type PolicyTypename = (typeof policyKinds)[number]['name'];

const byType: ReadonlyMap<string | undefined, string> = new Map(policyKinds.map(({ type, name }) => [type, name]));
const byName: ReadonlyMap<string, string | undefined> = new Map(policyKinds.map(({ type, name }) => [name, type]));

/** Names of all object types of policies and permissions. */
export const policyTypenames: readonly [string, ...string[]] = [other, ...byName.keys()];

/** Name of the object type for a type of policies. */
export const typenameOf = (type: string): string => byType.get(type) ?? other;

/** A condition for the stored types of an object type. */
export const storedTypeOf = (typename: string) => ({
  type: byName.get(typename) ?? { notIn: policyKinds.flatMap(({ type }) => type ?? []) },
});

/** The globally unique ID of a policy or permission. */
export const policyNodeId = ({ id, type }: { id: string; type: string }): string => nodeId(typenameOf(type), id);

/** The parts of the ID of a policy or permission; refuses any other, naming the field. */
export function parsePolicyId(globalId: string, field: string): NodeId {
  const parsed = parseId(globalId, field);
  if (byName.has(parsed.typename)) return parsed;
  throw invalid('Not the ID of an authorization policy', field, { argument: 'BAD_ID', code: 'BAD_ID' });
}
