import type { Context } from '../../services/core/context.js';
import { type Managed, managedBy } from '../../services/core/managed.js';
import { perform } from '../../services/core/perform.js';
import type { Applied } from '../../services/realms/applied/carry-out.js';
import { type ApplyTarget, applyById } from '../../services/realms/applied/locate.js';
import * as applies from '../../services/realms/applied/operations.js';
import { revertibleUntil } from '../../services/realms/applied/representation.js';
import { encodeApplied, encodeAuthor, encodePlan } from '../../services/realms/desired/representation.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { apart } from '../core/limits.js';
import { listType, onOptionalText, onTime } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode } from '../core/node.js';
import { relatedField } from '../core/related.js';
import { realmOfResult, realmTarget } from './mutations.js';
import { ChangeAuthor, RealmPlanRef } from './plan-types.js';
import { Realm } from './realms.js';

const dateOf = (time: bigint | number): Date => new Date(Number(time));

const author = { authRealmId: true, authClientId: true, authUserId: true } as const;

const RealmApply = builder.prismaNode('RealmApply', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'A change of a realm by a file, or the revert of one.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Number of the apply within the realm. The first one has 1.' }),
    reverts: t.exposeInt('reverts', {
      nullable: true,
      description: 'Number of the apply that this one reverts. Null if it applied a file.',
    }),
    source: t.exposeString('source', {
      nullable: true,
      description: 'Origin of the file, such as the address of a repository. Null if it was not given.',
    }),
    revision: t.exposeString('revision', {
      nullable: true,
      description: 'Version of the file, such as a commit. Null if it was not given.',
    }),
    digest: t.exposeString('digest', { description: 'Digest of the plan that was carried out.' }),
    created: t.exposeInt('created', { description: 'Number of created objects.' }),
    updated: t.exposeInt('updated', { description: 'Number of changed objects.' }),
    deleted: t.exposeInt('deleted', { description: 'Number of deleted objects.' }),
    appliedAt: t.field({
      type: 'DateTime',
      description: 'Time of the change.',
      select: { appliedAt: true },
      resolve: ({ appliedAt }) => dateOf(appliedAt),
    }),
    appliedBy: t.field({
      type: ChangeAuthor,
      description: 'User and client that made the change.',
      select: author,
      resolve: encodeAuthor,
    }),
    revertibleUntil: t.field({
      type: 'DateTime',
      description: 'Time until which the apply can be reverted: 30 days after it was made.',
      select: { appliedAt: true },
      resolve: (row) => dateOf(revertibleUntil(row)),
    }),
  }),
});

guardNode(RealmApply, applies.listApplies);

relatedField(Realm, 'applies', {
  relation: 'applies',
  listing: applies.listApplies,
  connection: connectionType('RealmApply', RealmApply),
  list: listType({
    name: 'RealmApply',
    plural: 'applies',
    conditions: {
      source: onOptionalText('source', 'Condition on the origin of the file.'),
      revision: onOptionalText('revision', 'Condition on the version of the file.'),
      appliedAt: onTime('appliedAt', 'Condition on the time of the change.'),
    },
    orders: { NUMBER: { path: 'number', description: 'Order by number.' } },
  }),
  description: 'The last 1000 changes of the realm by files and reverts, newest first.',
});

async function applyTarget(ctx: Context, id: string): Promise<ApplyTarget> {
  const found = await locatedNode(ctx, id, 'id', 'RealmApply');
  return applyById(ctx, found.realm, found.id);
}

builder.prismaObjectField(RealmApply, 'revertPlan', (t) =>
  t.field({
    type: RealmPlanRef,
    nullable: true,
    description:
      'What a revert of the apply would change. Changes nothing. Requires permissions to view all of the realm. Warnings name what was changed since, which stays.',
    requires: { operation: applies.revertPlan, isChecked: true },
    complexity: apart,
    resolve: async ({ id, realmId }, _args, ctx) =>
      encodePlan(await perform(ctx, applies.revertPlan, async (at) => applyById(at, await realmById(at, realmId), id))),
  }),
);

/** The file that a realm follows, with the IDs for permission checks. */
type ShownManaged = Managed & { id: string; realmId: string };

const ManagedRef = builder.objectRef<ShownManaged>('RealmManaged').implement({
  description: 'File that a realm follows.',
  fields: (t) => ({
    source: t.exposeString('source', { description: 'Origin of the file, such as the address of a repository.' }),
    revision: t.string({
      nullable: true,
      description: 'Version of the file, such as a commit. Null if it was not given.',
      resolve: ({ revision }) => revision ?? null,
    }),
    digest: t.exposeString('digest', { description: 'Digest of what the last apply of the file changed.' }),
    appliedAt: t.field({
      type: 'DateTime',
      description: 'Time of the last apply of the file.',
      resolve: ({ appliedAt }) => dateOf(appliedAt),
    }),
    appliedBy: t.field({
      type: ChangeAuthor,
      nullable: true,
      description: 'User and client that applied the file last.',
      requires: { operation: applies.listApplies, otherwise: 'NULL' },
      resolve: encodeAuthor,
    }),
  }),
});

builder.prismaObjectField(Realm, 'managed', (t) =>
  t.field({
    type: ManagedRef,
    nullable: true,
    description: 'File that the realm follows. Null if it follows none.',
    requires: applies.managed,
    select: { managed: true },
    resolve: (realm) => {
      const found = managedBy(realm);
      return found ? { ...found, id: realm.id, realmId: realm.id } : null;
    },
  }),
);

mutation('realmApplyRevert', {
  description:
    'Takes back what an apply changed, except what was changed since: all of it or nothing. Requires all permissions of the realm.',
  operation: applies.revert,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the apply.' }),
    expectedDigest: t.string({
      description:
        'Digest of the plan to carry out, from `RealmApply.revertPlan`. If anything else would change, the mutation is refused with the code `STALE`. Omit to skip the check.',
    }),
    allowDeletes: t.int({ description: 'Number of objects that may be deleted. Default 0.' }),
  }),
  locate: ({ id }, ctx) => applyTarget(ctx, id),
  send: ({ expectedDigest, allowDeletes }) => ({ expectedDigest, allowDeletes }),
  returns: realmOfResult,
  values: {
    plan: {
      type: RealmPlanRef,
      description: 'The changes that were made.',
      of: (applied: Applied) => encodeApplied(applied),
    },
  },
});

mutation('realmUnmanage', {
  description: 'Ends that a realm follows a file. Changes nothing else of it. Requires all permissions of the realm.',
  operation: applies.unmanage,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the realm.' }) }),
  locate: ({ id }, ctx) => realmTarget(ctx, id),
  returns: realmOfResult,
});
