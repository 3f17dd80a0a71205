import type { actions, reasons } from '../../services/realms/desired/describe.js';
import { defaultModeOf, kindsWithMode, type modes } from '../../services/realms/desired/kinds.js';
import { type NamedObject, type ObjectKind, objectKinds } from '../../services/realms/desired/objects.js';
import type { ShownAuthor, ShownChange, ShownPlan } from '../../services/realms/desired/representation.js';
import { builder } from '../core/builder.js';
import { connectionOf, connectionType, pageArgs } from '../core/connection.js';
import { requireNoNull } from '../core/filters.js';
import { listCost } from '../core/list-cost.js';
import { nodeId } from '../core/node.js';
import { pageOfList } from '../core/page.js';
import { resourceDescriptions } from '../events/event-descriptions.js';

const DesiredMode = builder.enumType('DesiredMode', {
  description: 'Effect of a realm file on the objects of a kind.',
  values: {
    FULL: { description: 'Deletes objects that the file does not have.' },
    KEEP: { description: 'Keeps objects that the file does not have.' },
    ADD: { description: 'Creates objects that the realm does not have. Leaves all others unchanged.' },
  } satisfies Record<(typeof modes)[number], object>,
});

/** The modes of a file, by the kinds of objects. */
export const DesiredModesInput = builder.inputType('DesiredModesInput', {
  description: 'Modes of the kinds of objects in a realm file. Kinds that the file does not have stay unchanged.',
  fields: (t) =>
    Object.fromEntries(
      kindsWithMode.map((kind) => [
        kind,
        t.field({
          type: DesiredMode,
          description: `Mode of \`${kind}\` of the file. Default \`${defaultModeOf(kind)}\`.`,
        }),
      ]),
    ),
});

/** A value of a file that is unknown to a plan. */
export const UnknownValueInput = builder.inputType('RealmUnknownValueInput', {
  description: 'A value of a realm file that is not known before the apply, such as a secret.',
  fields: (t) => ({
    path: t.stringList({
      required: true,
      description: 'Path of the value in `desired`, e.g. `["clients", "0", "secret"]`.',
    }),
    reference: t.string({
      required: true,
      description: 'Text that a plan shows in place of the value, such as the name of a variable.',
    }),
  }),
});

const ChangeAction = builder.enumType('RealmChangeAction', {
  description: 'What a plan does with an object.',
  values: {
    CREATE: { description: 'Creates the object.' },
    UPDATE: { description: 'Changes fields of the object.' },
    DELETE: { description: 'Deletes the object.' },
  } satisfies Record<(typeof actions)[number], object>,
});

const ChangeReason = builder.enumType('RealmChangeReason', {
  description: 'Reason why a plan changes an object.',
  values: {
    NOT_IN_REALM: { description: 'The file has the object, and the realm does not.' },
    DIFFERS: { description: 'The object differs from the file.' },
    NOT_IN_FILE: { description: 'The file does not have the object, and the mode of its kind is `FULL`.' },
    FOLLOWS: {
      description: 'The object changes with another one of the plan, such as the service account of a client.',
    },
    REVERTED: { description: 'An earlier apply has changed the object, and is reverted.' },
  } satisfies Record<(typeof reasons)[number], object>,
});

const ObjectKindEnum = builder.enumType('RealmObjectKind', {
  description: 'Kind of object that a realm file describes.',
  values: Object.fromEntries(objectKinds.map((kind) => [kind, { description: resourceDescriptions[kind] }])) as Record<
    ObjectKind,
    { description: string }
  >,
});

/** An object that a plan is about. */
export const ObjectNameInput = builder.inputType('RealmObjectNameInput', {
  description: 'An object of a realm, by its kind and name.',
  fields: (t) => ({
    kind: t.field({ type: ObjectKindEnum, required: true, description: 'Kind of the object.' }),
    key: t.string({
      required: true,
      description: 'Name of the object, as `RealmChange.key` has it: clientId, path of a group, username, or similar.',
    }),
  }),
});

/** A rule for plans about one object. */
export const LifecycleInput = builder.inputType('RealmLifecycleInput', {
  description: 'What plans and applies do not do with an object.',
  fields: (t) => ({
    kind: t.field({ type: ObjectKindEnum, required: true, description: 'Kind of the object.' }),
    key: t.string({ required: true, description: 'Name of the object, as `RealmChange.key` has it.' }),
    preventsDestroy: t.boolean({ description: 'Whether a plan that deletes the object is refused. Default false.' }),
    ignoreChanges: t.stringList({
      description:
        'Fields that stay as they are in the realm, with the names of the file, e.g. `["redirectUris", "attributes.color"]`. A new object gets them from the file.',
    }),
  }),
});

/** Rules of objects in the form of the operation. */
export const lifecycleOf = (rules: readonly (typeof LifecycleInput.$inferInput)[] | null | undefined) =>
  rules?.map(({ preventsDestroy, ...rule }) => ({ ...rule, preventDestroy: preventsDestroy }));

const textOf = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

const FieldRef = builder.objectRef<ShownChange['fields'][number]>('RealmChangeField').implement({
  description: 'A field that a plan changes.',
  fields: (t) => ({
    path: t.stringList({
      description: 'Path of the field in the object, with the names of the realm file, e.g. `["attributes", "size"]`.',
      resolve: ({ path }) => [...path],
    }),
    before: t.string({
      nullable: true,
      description: 'JSON of the value in the realm. A secret is masked. Null if the field is absent.',
      resolve: ({ before }) => textOf(before),
    }),
    after: t.string({
      nullable: true,
      description: 'JSON of the value after the change. A secret is masked. Null if the field will be absent.',
      resolve: ({ after }) => textOf(after),
    }),
    isSecret: t.exposeBoolean('isSecret', { description: 'Whether the values are secrets.' }),
    isUnknown: t.boolean({
      description: 'Whether `after`, or a part of it, is not known before the apply.',
      resolve: ({ isUnknown }) => isUnknown === true,
    }),
  }),
});

const PlannedObject = builder.objectRef<NamedObject>('RealmPlanObject').implement({
  description: 'An object of a plan, by its kind and name.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ObjectKindEnum, description: 'Kind of the object.' }),
    key: t.exposeString('key', { description: 'Name of the object: clientId, path of a group, or similar.' }),
  }),
});

/** The cost of the lists of a change. Objects have a few dozen fields. */
const partsCost = { field: 1, multiplier: 10 };

/** The author of a change. */
export const ChangeAuthor = builder.objectRef<ShownAuthor>('ChangeAuthor').implement({
  description: 'User and client that made a change. Both may have been deleted since.',
  fields: (t) => ({
    actorId: t.id({
      description: 'ID of the user who made the change.',
      resolve: ({ userId }) => nodeId('User', userId),
    }),
    actorRealmId: t.id({
      description: 'ID of the realm of the user.',
      resolve: ({ realmId }) => nodeId('Realm', realmId),
    }),
    clientId: t.exposeString('clientId', { description: 'clientId of the client that made the request.' }),
  }),
});

const ChangeRef = builder.objectRef<ShownChange>('RealmChange').implement({
  description: 'An object that a plan creates, changes, or deletes.',
  fields: (t) => ({
    action: t.expose('action', { type: ChangeAction, description: 'What happens with the object.' }),
    kind: t.expose('kind', { type: ObjectKindEnum, description: 'Kind of the object.' }),
    key: t.exposeString('key', {
      description: 'Name of the object after the change: clientId, path of a group, username, or similar.',
    }),
    path: t.string({
      nullable: true,
      description:
        'Path of the object within the realm, as in `AdminEvent.resourcePath`. Null for an object that does not exist yet.',
      resolve: ({ path }) => path ?? null,
    }),
    reason: t.expose('reason', { type: ChangeReason, description: 'Reason of the change.' }),
    fields: t.field({
      type: [FieldRef],
      description: 'Fields that change. All fields of an object that is created or deleted.',
      complexity: partsCost,
      resolve: ({ fields }) => fields,
    }),
    grants: t.exposeStringList('grants', {
      description:
        'Administration roles that the object gains, also within other roles and by groups. Names of client roles begin with the client ID.',
    }),
    usersGaining: t.int({
      nullable: true,
      description:
        'Number of users who gain roles by the change of a role or group: who have it, also within other roles and by groups. Null if nobody can, or if the plan changes more than 100 such roles and groups.',
      resolve: ({ usersGaining }) => usersGaining ?? null,
    }),
    usersLosing: t.int({
      nullable: true,
      description:
        'Number of users who lose roles or a group by the change of a role or group. Null if nobody can, or if the plan changes more than 100 such roles and groups.',
      resolve: ({ usersLosing }) => usersLosing ?? null,
    }),
    lastChangedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time of the last change of the object by hand since the last apply. Null if the admin events of the realm have none.',
      resolve: ({ lastChangedAt }) => (lastChangedAt === undefined ? null : new Date(lastChangedAt)),
    }),
    lastChangedBy: t.field({
      type: ChangeAuthor,
      nullable: true,
      description: 'User and client that made the change at `lastChangedAt`.',
      resolve: ({ lastChangedBy }) => lastChangedBy ?? null,
    }),
    dependsOn: t.field({
      type: [PlannedObject],
      description: 'Objects that the plan creates and this object refers to. Roles can refer to each other.',
      complexity: partsCost,
      resolve: ({ dependsOn }) => dependsOn,
    }),
  }),
});

const ChangeFilter = builder.inputType('RealmChangeFilter', {
  description: 'Filter for changes of a plan. All given conditions must match.',
  fields: (t) => ({
    actions: t.field({ type: [ChangeAction], description: 'Matches changes with one of these actions.' }),
    kinds: t.field({ type: [ObjectKindEnum], description: 'Matches objects of one of these kinds.' }),
  }),
});

const SummaryRef = builder.objectRef<ShownPlan['summary']>('RealmPlanSummary').implement({
  description: 'Numbers of objects of a plan.',
  fields: (t) => ({
    create: t.exposeInt('create', { description: 'Number of objects to create.' }),
    update: t.exposeInt('update', { description: 'Number of objects to change.' }),
    delete: t.exposeInt('delete', { description: 'Number of objects to delete.' }),
    unchanged: t.exposeInt('unchanged', {
      description: 'Number of objects that stay as they are. Users count if the file has users.',
    }),
  }),
});

/** A plan, and an applied one. */
export const RealmPlanRef = builder.objectRef<ShownPlan>('RealmPlan').implement({
  description: 'What a file changes in a realm.',
  fields: (t) => ({
    digest: t.exposeString('digest', {
      description: 'Digest of all changes. Pass it as `expectedDigest` of `realmApply`.',
    }),
    summary: t.field({
      type: SummaryRef,
      description: 'Numbers of objects that change and do not change.',
      resolve: ({ summary }) => summary,
    }),
    changes: t.field({
      type: connectionType('RealmChange', ChangeRef),
      description: 'Objects that change, ordered by kind, action, and name.',
      args: {
        ...pageArgs,
        filter: t.arg({ type: ChangeFilter, description: 'Returns only the changes that match. Omit for all.' }),
      },
      complexity: listCost,
      resolve: ({ changes }, { filter, ...args }) => {
        requireNoNull(filter);
        const placed = changes.map((change, position) => ({ change, position }));
        const matching = placed.filter(
          ({ change: { action, kind } }) =>
            (filter?.actions?.includes(action) ?? true) && (filter?.kinds?.includes(kind) ?? true),
        );
        const { page, found } = pageOfList(args, matching);
        return connectionOf(
          page,
          found,
          ({ change }) => change,
          async () => matching.length,
        );
      },
    }),
    warnings: t.exposeStringList('warnings', {
      description: 'What the file has and the realm cannot have, such as fields of other versions.',
    }),
    omitted: t.int({
      nullable: true,
      description:
        'Number of objects that would change, too, and are left out because of `targets`. Null if the plan has no targets.',
      resolve: ({ omitted }) => omitted ?? null,
    }),
  }),
});
