import { type Abilities, type AbilityAnswer, type AbilityOf, abilityReasons } from '../../services/core/ability.js';
import { permissionFor } from '../../services/core/allow.js';
import type { Context } from '../../services/core/context.js';
import { aboutWhat } from '../../services/core/delegation.js';
import { found } from '../../services/core/refusal.js';
import { abilityOf } from '../../services/permissions/ability.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from './builder.js';
import { addField } from './field.js';
import { apart } from './limits.js';
import { type About, guardOf, isAllowed, type ModelRef } from './node.js';
import { type NodeRow, nodeRow } from './node-rows.js';
import { PermissionEnum } from './permission-enum.js';
import { permitById } from './permits.js';

const Reason = builder.enumType('AbilityReason', {
  description: 'Why the caller may not perform a mutation on an object.',
  values: Object.fromEntries(Object.entries(abilityReasons).map(([name, description]) => [name, { description }])),
});

const messageOf = ({ reason, permission }: AbilityAnswer): string | null => {
  if (reason === undefined) return null;
  return reason === 'LACKS_PERMISSION' ? `Permission \`${permission}\` is required` : abilityReasons[reason];
};

const Ability = builder.objectRef<AbilityAnswer>('Ability').implement({
  description:
    'Whether the caller may perform a mutation on an object, without what depends on the input, e.g. which role is mapped.',
  fields: (t) => ({
    isAllowed: t.boolean({
      description: 'Whether the mutation is allowed.',
      resolve: ({ reason }) => reason === undefined,
    }),
    reason: t.field({
      type: Reason,
      nullable: true,
      description: 'Why the mutation is refused. Null if it is allowed.',
      resolve: ({ reason }) => reason ?? null,
    }),
    message: t.string({
      nullable: true,
      description: 'The reason as a sentence, e.g. for a tooltip. Null if the mutation is allowed.',
      resolve: messageOf,
    }),
    permission: t.expose('permission', {
      type: PermissionEnum,
      description: 'The permission that the mutation requires for this object.',
    }),
  }),
});

/** What management permissions can be about of the target of a write. */
function aboutOf(target: object): About | undefined {
  const about = aboutWhat(target);
  if (about?.kind !== 'user' && about?.kind !== 'group' && about?.kind !== 'client') return undefined;
  return { kind: about.kind, id: about.id };
}

/**
 * Declares `viewerCan` of a type: for each of its abilities a field that says whether the caller may perform this mutation on an
 * object. A list of objects takes as many statements as one object.
 */
export function viewerCan<R, K extends string>(
  type: ModelRef,
  abilities: Abilities<R, K>,
  mutations: Readonly<Record<K, string>>,
): void {
  const answer = async (row: NodeRow, ability: AbilityOf<R>, ctx: Context): Promise<AbilityAnswer> => {
    const { realmId } = row;
    // the row has what the abilities read, and its id
    const own = row as unknown as R;
    const target = (ability.target ?? abilities.target)(own);
    const permission = permissionFor(ability.operation, ability.kind ?? guardOf(type.name).kindOf(row));
    const isPermitted = await isAllowed(ctx, realmId, permission, aboutOf(target));
    const [realm, permit] = await Promise.all([realmById(ctx, realmId), permitById(ctx, realmId)]);
    return abilityOf(ctx, ability, { realm, permit, row: own, target, permission, isPermitted });
  };
  const Type = builder.objectRef<NodeRow>(`${type.name}Abilities`).implement({
    description: `What the caller may do with an object of the type ${type.name}.`,
    fields: (t) =>
      Object.fromEntries(
        (Object.keys(abilities.of) as K[]).map((name) => {
          const ability = abilities.of[name];
          return [
            name,
            t.field({
              type: Ability,
              description: `Whether the caller may perform \`${mutations[name]}\` on the object.`,
              ...(ability.isApart && { complexity: apart }),
              resolve: (row, _args, ctx) => answer(row, ability, ctx),
            }),
          ];
        }),
      ),
  });
  addField(type, 'viewerCan', () => ({
    type: Type,
    description: 'What the caller may do with the object.',
    select: { id: true },
    resolve: async ({ id }: { id: string }, _args: object, ctx: Context) => {
      const { source } = guardOf(type.name);
      const reads = { ...source.reads, ...abilities.reads };
      const row = await nodeRow(ctx, `${type.name} with abilities`, { ...source, reads }, id);
      return found(row ?? null, 'The object was deleted in the meantime');
    },
  }));
}
