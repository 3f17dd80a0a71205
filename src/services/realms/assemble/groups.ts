import { newColumns } from '../../core/fields.js';
import { conflict, invalid, type Refusal } from '../../core/refusal.js';
import { attributeRows } from '../../core/view.js';
import { groupFields } from '../../groups/fields.js';
import { fitting, namedGroup } from '../../groups/names.js';
import type { GroupInput } from '../../groups/representation.js';
import { type Draft, isNewLink, itemsOf } from './draft.js';
import { clientNamed, roleNamed } from './roles.js';

interface Parent {
  id: string | null;
  path: string;
}

/** Adds the tree of groups, and marks the default groups. */
export async function assembleGroups(draft: Draft): Promise<void> {
  const { groups, defaultGroups } = draft.input;
  for await (const [index, group] of itemsOf(draft, groups))
    await draft.refusals.attemptLater(() => addGroup(draft, group, { id: null, path: '' }, `groups.${index}`));
  // The reference server does not look at the list of default groups when a file has no groups.
  if (groups === undefined) return;
  (defaultGroups ?? []).forEach((path, index) => {
    const group = groupAt(draft, path);
    if (!group) {
      draft.refusals.add(unknownGroup(path, `defaultGroups.${index}`));
      return;
    }
    if (!group.isDefault) draft.defaultGroups.push(group.id);
    group.isDefault = true;
  });
}

/** The refusal of an unknown group path. */
export const unknownGroup = (path: string, field: string): Refusal =>
  invalid(`Group "${path}" not found`, field, { missing: { kind: 'groups' } });

/** The group at a path, with or without the slash in front. */
export const groupAt = (draft: Draft, path: string) => draft.groupByPath.get(path.startsWith('/') ? path : `/${path}`);

async function addGroup(draft: Draft, group: GroupInput, parent: Parent, field: string): Promise<void> {
  const name = namedGroup(group.name, `${field}.name`);
  const path = `${parent.path}/${name}`;
  fitting(Buffer.byteLength(path), `${field}.name`);
  const container = parent.id ?? draft.realmId;
  if (!isNewLink(draft, 'group', container, name))
    throw conflict(`Group '${path}' already exists`, `${field}.name`, 'NAME_TAKEN');
  const row = {
    ...newColumns(groupFields, group),
    id: draft.ids.of('Group', group.id),
    realmId: draft.realmId,
    parentId: parent.id,
    container,
    name,
    path,
    search: name.toLowerCase(),
    isDefault: false,
  };
  draft.groupByPath.set(path, row);
  draft.rows.Group.push(row);
  draft.rows.GroupAttribute.push(...attributeRows('groupId', row.id, group.attributes ?? {}));
  const addRole = (role: { id: string }) => {
    if (isNewLink(draft, 'groupRole', row.id, role.id)) draft.rows.GroupRole.push({ groupId: row.id, roleId: role.id });
  };
  for (const [index, role] of (group.realmRoles ?? []).entries())
    addRole(roleNamed(draft, undefined, role, `${field}.realmRoles.${index}`));
  for (const [clientId, roles] of Object.entries(group.clientRoles ?? {})) {
    const client = clientNamed(draft, clientId, `${field}.clientRoles.${clientId}`);
    if (!client) continue;
    for (const [index, role] of roles.entries())
      addRole(roleNamed(draft, client, role, `${field}.clientRoles.${clientId}.${index}`));
  }
  for await (const [index, child] of itemsOf(draft, group.subGroups))
    await draft.refusals.attemptLater(() => addGroup(draft, child, row, `${field}.subGroups.${index}`));
}
