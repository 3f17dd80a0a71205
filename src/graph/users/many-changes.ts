import type { Context } from '../../services/core/context.js';
import { textsOf } from '../../services/core/json.js';
import type { RealmRecord } from '../../services/core/realm.js';
import { invalid, refuseAll } from '../../services/core/refusal.js';
import { grouped } from '../../services/core/view.js';
import { shownUsers } from '../../services/user-storage/storage-id.js';
import { unknownActions } from '../../services/users/ignored.js';
import { attributeChangeFields, requireNoNull } from '../core/filters.js';
import type { FilterValue } from '../core/list-type.js';
import { permitById } from '../core/permits.js';
import type { InputBuilder } from '../core/setting-types.js';
import { userList } from './filter.js';
import { type UserFields, userOf } from './inputs.js';

/** The inputs of an update that change a part of what a user has. */
export const partialFields = (t: InputBuilder) => ({
  ...attributeChangeFields(t),
  addRequiredActions: t.stringList({ description: 'Aliases of required actions to add to the present ones.' }),
  removeRequiredActions: t.stringList({ description: 'Aliases of required actions to remove.' }),
});

export interface ChangedUser extends UserFields {
  setAttributes?: { name: string; values: string[] }[] | null;
  removeAttributes?: string[] | null;
  addRequiredActions?: string[] | null;
  removeRequiredActions?: string[] | null;
}

/** A change of one of many users. `place` is the path of the change in the input. */
interface Change {
  id: string;
  place: string;
  fields: ChangedUser;
  expectedVersion?: number | null | undefined;
}

const partsOf = ({ setAttributes, removeAttributes, addRequiredActions, removeRequiredActions }: ChangedUser) => ({
  attributes: { setAttributes, removeAttributes },
  requiredActions: { addRequiredActions, removeRequiredActions },
});

const isGiven = (inputs: object): boolean => Object.values(inputs).some((value) => value !== undefined);

/** Refuses null, and a part beside the whole that it is of. */
function requireParts({ fields, place }: Change): void {
  refuseAll([
    ...Object.entries(partsOf(fields)).flatMap(([whole, parts]) => [
      ...Object.entries(parts).flatMap(([name, value]) =>
        value === null ? invalid(`\`${name}\` must not be null`, `${place}.${name}`) : [],
      ),
      ...(isGiven(parts) && fields[whole as 'attributes'] !== undefined
        ? [
            invalid(
              `Give either \`${whole}\`, or ${Object.keys(parts)
                .map((name) => `\`${name}\``)
                .join(' and ')}`,
              `${place}.${whole}`,
            ),
          ]
        : []),
    ]),
    ...unknownActions(fields.addRequiredActions ?? [], `${place}.addRequiredActions`),
  ]);
}

/** Changes of users in the form of the contract, which replaces lists: what is changed in part is read, and must stay until it is written. */
export async function changesOf(ctx: Context, realm: { id: string }, changes: readonly Change[]) {
  for (const change of changes) requireParts(change);
  const partial = changes.filter(({ fields }) => Object.values(partsOf(fields)).some(isGiven));
  const rows =
    partial.length === 0
      ? []
      : await ctx.db.user.findMany({
          where: { realmId: realm.id, id: { in: partial.map(({ id }) => id) } },
          select: {
            id: true,
            version: true,
            requiredActions: true,
            attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] },
          },
        });
  const present = new Map(rows.map((row) => [row.id, row]));
  return changes.map(({ id, fields, expectedVersion }) => {
    const row = present.get(id);
    const { attributes, requiredActions } = partsOf(fields);
    const isPartial = row && (isGiven(attributes) || isGiven(requiredActions));
    const removed = fields.removeRequiredActions ?? [];
    return {
      id,
      expectedVersion: expectedVersion ?? (isPartial ? row.version : undefined),
      user: {
        ...userOf(fields),
        ...(row && isGiven(attributes) && { attributes: changedAttributes(grouped(row.attributes), fields) }),
        ...(row &&
          isGiven(requiredActions) && {
            requiredActions: [
              ...new Set([
                ...textsOf(row.requiredActions).filter((action) => !removed.includes(action)),
                ...(fields.addRequiredActions ?? []),
              ]),
            ],
          }),
      },
    };
  });
}

function changedAttributes(
  present: Readonly<Record<string, readonly string[]>>,
  { setAttributes, removeAttributes }: ChangedUser,
): Record<string, readonly string[]> {
  const removed = new Set(removeAttributes ?? []);
  return {
    ...Object.fromEntries(Object.entries(present).filter(([name]) => !removed.has(name))),
    ...Object.fromEntries((setAttributes ?? []).map(({ name, values }) => [name, values])),
  };
}

/** Most users that a filter may choose for a mutation. */
const mostMatches = 1000;

/** The inputs that choose users by a filter. */
export const matchingFields = (t: InputBuilder) => ({
  filter: t.field({ type: userList.filter, required: true, description: 'Chooses the users.' }),
  limit: t.int({
    required: true,
    description: `Most users that may match, at most ${mostMatches}. If more do, nothing is changed.`,
  }),
});

/** The ids of the users that a filter chooses for the caller, in the order of their names. Refuses a filter that chooses more than `limit`. */
export async function matchingUsers(
  ctx: Context,
  realm: RealmRecord,
  { filter, limit }: { filter: FilterValue; limit: number },
): Promise<string[]> {
  if (limit < 1 || limit > mostMatches) throw invalid(`\`limit\` must be from 1 to ${mostMatches}`, 'limit');
  requireNoNull(filter);
  const permit = await permitById(ctx, realm.id);
  const where = { realmId: realm.id, AND: [permit.visible('users'), shownUsers(realm), userList.where({ filter })] };
  const found = await ctx.db.user.findMany({
    where,
    orderBy: [{ username: 'asc' }],
    take: limit + 1,
    select: { id: true },
  });
  if (found.length > limit) {
    const matches = await ctx.db.user.count({ where });
    throw invalid(`${matches} users match the filter, more than ${limit}`, 'limit', { code: 'TOO_MANY' });
  }
  return found.map(({ id }) => id);
}
