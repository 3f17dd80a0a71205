import { inTurns, type Pause } from '../../database/turns.js';
import { policyType, type SubjectKind, subjectLists } from './policy-types.js';
import type { PolicyRow, ResourceRow, ScopeRow, WholePolicyRow, WholeServerRow } from './store.js';

/** ScopeRepresentation. */
export const encodeScope = ({ id, name, displayName, iconUri }: Omit<ScopeRow, 'version'>) => ({
  id,
  name,
  ...(displayName !== null && { displayName }),
  ...(iconUri !== null && { iconUri }),
});

/** The scopes of a resource: without the display name, as recorded. */
export const scopesOf = ({ scopes }: Pick<ResourceRow, 'scopes'>) =>
  scopes.map(({ scope: { id, name, iconUri } }) => ({ id, name, ...(iconUri !== null && { iconUri }) }));

const ownerOf = ({ ownerId, user, resourceServer }: ResourceRow) => ({
  id: ownerId,
  name: user?.username ?? resourceServer.client.clientId,
});

/** ResourceRepresentation without attributes and scopes. */
export const encodeBriefResource = (row: ResourceRow) => ({
  _id: row.id,
  name: row.name,
  ...(row.displayName !== null && { displayName: row.displayName }),
  ...(row.type !== null && { type: row.type }),
  ...(row.iconUri !== null && { icon_uri: row.iconUri }),
  uris: row.uris.map(({ value }) => value),
  owner: ownerOf(row),
  ownerManagedAccess: row.ownerManagedAccess,
});

/** ResourceRepresentation. */
export const encodeResource = (row: ResourceRow) => ({
  ...encodeBriefResource(row),
  attributes: row.attributes as Record<string, string[]>,
  ...(row.scopes.length > 0 && { scopes: scopesOf(row) }),
});

const kindOf = (type: string): SubjectKind | undefined => policyType(type)?.subjects;
const flagOf = (kind: SubjectKind) => (kind === 'group' ? 'extendChildren' : 'required');
const plainKinds = new Set<SubjectKind>(['user', 'client']);

/** The subjects of a policy, by ID. */
function subjectsOf({ type, subjects }: PolicyRow) {
  const kind = kindOf(type);
  if (!kind) return undefined;
  return plainKinds.has(kind)
    ? subjects.map(({ subjectId }) => subjectId)
    : subjects.map(({ subjectId, strong }) => ({ id: subjectId, [flagOf(kind)]: strong }));
}

type SubjectRow = PolicyRow['subjects'][number];

/** The name that files have in place of an ID. */
export function nameOfSubject({ user, role, group, client, clientScope, subjectId }: SubjectRow): string {
  if (role) return role.client ? `${role.client.clientId}/${role.name}` : role.name;
  return user?.username ?? group?.path ?? client?.clientId ?? clientScope?.name ?? subjectId;
}

function namedSubjects({ type, subjects }: PolicyRow) {
  const kind = kindOf(type);
  if (!kind) return undefined;
  if (plainKinds.has(kind)) return subjects.map(nameOfSubject);
  const key = kind === 'group' ? 'path' : 'id';
  return subjects.map((subject) => ({ [key]: nameOfSubject(subject), [flagOf(kind)]: subject.strong }));
}

/** The first fields of every form of a policy. */
export const heading = (row: PolicyRow) => ({
  id: row.id,
  name: row.name,
  ...(row.description !== null && { description: row.description }),
  type: row.type,
  logic: row.logic,
  decisionStrategy: row.decisionStrategy,
});

function configOf(row: PolicyRow, subjects: unknown[] | undefined): Record<string, string> {
  const kind = kindOf(row.type);
  return {
    ...(row.config as Record<string, string>),
    ...(row.resourceType !== null && { defaultResourceType: row.resourceType }),
    ...(kind && subjects && { [subjectLists[kind]]: JSON.stringify(subjects) }),
  };
}

/** PolicyRepresentation: everything of its type as texts in `config`. */
export const encodePolicy = (row: PolicyRow) => ({ ...heading(row), config: configOf(row, subjectsOf(row)) });

/** The representation of the policy's type, with fields in place of `config`. */
export function encodeTyped(row: PolicyRow) {
  const known = policyType(row.type);
  const config = row.config as Record<string, string>;
  const fields = Object.entries(known?.config ?? {}).flatMap(([entry, field]) =>
    config[entry] === undefined ? [] : [[field, config[entry]]],
  );
  return {
    ...heading(row),
    ...Object.fromEntries(fields),
    ...(known?.permission && row.resourceType !== null && { resourceType: row.resourceType }),
    ...(known?.subjects && { [subjectLists[known.subjects]]: subjectsOf(row) }),
  };
}

/** A policy in a list of related policies: as recorded, with defaults for all other fields. */
export const encodeRelatedPolicy = ({ id, name, description, type }: Omit<PolicyRow, 'subjects'>) => ({
  id,
  name,
  ...(description !== null && { description }),
  type,
  logic: 'POSITIVE',
  decisionStrategy: 'UNANIMOUS',
  config: {},
});

const namesIn = (entry: string, names: string[]) => (names.length > 0 ? { [entry]: JSON.stringify(names) } : {});

/** PolicyRepresentation with names instead of IDs. */
const exportedPolicy = (row: WholePolicyRow) => ({
  ...heading(row),
  config: {
    ...configOf(row, namedSubjects(row)),
    ...namesIn(
      'resources',
      row.resources.map(({ resource }) => resource.name),
    ),
    ...namesIn(
      'scopes',
      row.scopes.map(({ scope }) => scope.name),
    ),
    ...namesIn(
      'applyPolicies',
      row.associated.map(({ associated }) => associated.name),
    ),
  },
});

function exportedResource(row: ResourceRow) {
  const { owner, scopes: _, ...rest } = encodeResource(row);
  return {
    ...rest,
    ...(row.user && { owner: { name: owner.name } }),
    ...(row.scopes.length > 0 && { scopes: row.scopes.map(({ scope }) => ({ name: scope.name })) }),
  };
}

/** ResourceServerRepresentation for a file that can be imported elsewhere. */
export const exportServer = async (server: WholeServerRow, pause: Pause) => ({
  allowRemoteResourceManagement: server.allowRemoteResourceManagement,
  policyEnforcementMode: server.policyEnforcementMode,
  decisionStrategy: server.decisionStrategy,
  resources: await inTurns(server.resources, exportedResource, pause),
  // policies that others depend on come first
  policies: await inTurns(
    server.policies.toSorted((one, other) => rank(one) - rank(other)),
    exportedPolicy,
    pause,
  ),
  scopes: await inTurns(server.scopes, encodeScope, pause),
});

const rank = ({ type }: { type: string }): number => (type === 'aggregate' ? 1 : policyType(type)?.permission ? 2 : 0);

/** The answer to the creation of a policy in the general form: as recorded, it repeats the request. */
export const encodeCreated = ({ policy, given }: { policy: WholePolicyRow; given: Record<string, unknown> }) => ({
  ...heading(policy),
  config: given.config ?? {},
});

/**
 * A created policy in the form of its type: with IDs, except for users and clients, which are repeated from the input.
 */
export function encodeCreatedTyped({ policy, given }: { policy: WholePolicyRow; given: Record<string, unknown> }) {
  const kind = kindOf(policy.type);
  const list = kind && subjectLists[kind];
  const { [list ?? '']: subjects, ...rest } = encodeTyped(policy) as Record<string, unknown>;
  return {
    ...rest,
    ...(kind && list && given[list] !== undefined && { [list]: plainKinds.has(kind) ? given[list] : subjects }),
    ...(given.resources !== undefined && { resources: policy.resources.map(({ resource }) => resource.id) }),
    ...(given.scopes !== undefined && { scopes: policy.scopes.map(({ scope }) => scope.id) }),
    ...(given.policies !== undefined && { policies: policy.associated.map(({ associated }) => associated.id) }),
  };
}
