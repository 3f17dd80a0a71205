import { type Abilities, type AbilityAnswer, type AbilityOf, abilityReasons } from '../../services/core/ability.js';
import { permissionFor } from '../../services/core/allow.js';
import type { Context } from '../../services/core/context.js';
import { permissionSubject } from '../../services/core/delegation.js';
import { found } from '../../services/core/refusal.js';
import { type Asked, abilityOf } from '../../services/permissions/ability.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from './builder.js';
import { addField } from './field.js';
import { apart } from './limits.js';
import { type About, guardOf, isAllowed, isVisible, type ModelRef, type NodeId } from './node.js';
import { type NodeRow, nodeRow } from './node-rows.js';
import { PermissionEnum } from './permission-enum.js';
import { permitById } from './permits.js';

const Reason = builder.enumType('AbilityReason', {
  description: 'Why the caller may not perform a mutation on an object.',
  values: Object.fromEntries(Object.entries(abilityReasons).map(([name, description]) => [name, { description }])),
});

const messageOf = ({ reason, permission }: AbilityAnswer): string | null => {
  if (reason === undefined) return null;
  return reason === 'LACKS_PERMISSION' || reason === 'NOT_VISIBLE'
    ? `Permission \`${permission}\` is required`
    : abilityReasons[reason];
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

/** The object in the target of a write that management permissions can apply to. */
function aboutOf(target: object): About | undefined {
  const about = permissionSubject(target);
  if (about?.kind !== 'user' && about?.kind !== 'group' && about?.kind !== 'client') return undefined;
  return { kind: about.kind, id: about.id };
}

/** The answer whether the caller may perform a mutation on an object, with the data behind it. */
export interface Considered {
  answer: AbilityAnswer;
  asked: Asked<never>;
  ability: AbilityOf<never>;
  /**
   * whether the mutation finds its target, for types with `foundBy`; otherwise undefined, because the object is the
   * target
   */
  isFound: boolean | undefined;
}

/** How the objects of a type are checked. */
interface AbleObjects {
  /** the types of an interface, which have one guard */
  types?: readonly [string, ...string[]];
  /**
   * objects that let mutations find this one: the caller must be able to view at least one of them; default: only this
   * object
   */
  foundBy?: (row: NodeRow) => readonly [NodeId, ...NodeId[]];
}

type Consider = (ctx: Context, id: string) => Promise<Considered>;

const considered = new Map<string, Map<string, Consider>>();

/**
 * Returns the check whether a mutation may be performed on an object of a type. Undefined if `viewerCan` has no field
 * for it.
 */
export const considerationOf = (typename: string, mutation: string): Consider | undefined =>
  considered.get(typename)?.get(mutation);

/** The mutations that `viewerCan` of a type covers; without a type, the mutations of all types. */
export const consideredMutations = (typename?: string): string[] => {
  const all = typename === undefined ? [...considered.values()] : [considered.get(typename) ?? new Map()];
  return [...new Set(all.flatMap((mutations) => [...mutations.keys()]))].sort();
};

/**
 * Declares `viewerCan` of a type: for each of its abilities a field that states whether the caller may perform this
 * mutation on an object. A list of objects takes as many statements as one object.
 */
export function viewerCan<R, K extends string>(
  type: ModelRef,
  abilities: Abilities<R, K>,
  mutations: Readonly<Record<K, string>>,
  { types = [type.name], foundBy }: AbleObjects = {},
): void {
  const [guard] = types;
  const consider = async (row: NodeRow, ability: AbilityOf<R>, ctx: Context) => {
    const { realmId } = row;
    // the row has its ID and the columns that the abilities read
    const own = row as unknown as R;
    const target = (ability.target ?? abilities.target)(own);
    const permission = permissionFor(ability.operation, ability.kind ?? guardOf(guard).kindOf(row));
    const isPermitted = await isAllowed(ctx, realmId, permission, aboutOf(target));
    const [realm, permit] = await Promise.all([realmById(ctx, realmId), permitById(ctx, realmId)]);
    const asked = { realm, permit, row: own, target, permission, isPermitted };
    const by = foundBy?.(row);
    const isFound = by && (await Promise.all(by.map((node) => isVisible(ctx, node)))).some((isShown) => isShown);
    const notVisible = () => ({
      permission: guardOf(by?.[0].typename ?? guard).permissionFor(row),
      reason: 'NOT_VISIBLE',
    });
    const answer = isFound === false ? notVisible() : await abilityOf(ctx, ability, asked);
    return { answer, asked, ability, isFound } as Considered;
  };
  const rowOf = async (ctx: Context, id: string): Promise<NodeRow> => {
    const { source } = guardOf(guard);
    const reads = { ...source.reads, ...abilities.reads };
    // objects of an interface have several types
    const only = type.kind === 'Interface' ? {} : source.only;
    const row = await nodeRow(ctx, `${type.name} with abilities`, { ...source, reads, only }, id);
    return found(row ?? null, 'The object was deleted in the meantime');
  };
  for (const typename of types) {
    const named = (Object.keys(abilities.of) as K[]).map((name): [string, Consider] => [
      mutations[name],
      async (ctx, id) => consider(await rowOf(ctx, id), abilities.of[name], ctx),
    ]);
    considered.set(typename, new Map(named));
  }
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
              resolve: async (row, _args, ctx) => (await consider(row, ability, ctx)).answer,
            }),
          ];
        }),
      ),
  });
  addField(type, 'viewerCan', () => ({
    type: Type,
    description: 'What the caller may do with the object.',
    select: { id: true },
    resolve: ({ id }: { id: string }, _args: object, ctx: Context) => rowOf(ctx, id),
  }));
}
