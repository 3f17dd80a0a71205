import { begun } from '../../services/core/begun.js';
import { requireWhole } from '../../services/core/entitlement.js';
import { decode } from '../../services/core/shape.js';
import { type ApplyProgress, applyProgress, type applyStatuses } from '../../services/realms/applied/progress.js';
import { apply } from '../../services/realms/desired/operations.js';
import { RealmPlanInput } from '../../services/realms/desired/representation.js';
import { builder } from '../core/builder.js';
import { type RenewableContext, stillMay } from '../events/subscriptions.js';
import { realmTarget } from './mutations.js';

const ApplyStatus = builder.enumType('RealmApplyStatus', {
  description: 'Status of an apply of a realm file.',
  values: {
    WAITING: { description: 'The server process that answers knows no apply with the ID.' },
    PLANNING: { description: 'The file is compared with the realm.' },
    WRITING: { description: 'The changes are written, and not yet visible to others.' },
    DONE: { description: 'The changes are committed. A dry run is complete.' },
    FAILED: { description: 'The apply was refused or failed. Nothing has changed.' },
  } satisfies Record<(typeof applyStatuses)[number], object>,
});

const ApplyProgressRef = builder.objectRef<ApplyProgress>('RealmApplyProgress').implement({
  description: 'Status and progress of an apply of a realm file.',
  fields: (t) => ({
    status: t.expose('status', { type: ApplyStatus, description: 'Status of the apply.' }),
    done: t.exposeInt('done', { description: 'Number of database rows written so far.' }),
    total: t.exposeInt('total', {
      description: 'Number of database rows to write. 0 until the plan is made.',
    }),
  }),
});

/** A state, or the reason why no more states follow. */
type Told = { state: ApplyProgress } | { failure: unknown };

async function* states(ctx: RenewableContext, realmId: string, given: string): AsyncGenerator<Told> {
  const { progressId = '' } = decode(RealmPlanInput, { progressId: given });
  const { realm } = await realmTarget(ctx, realmId, 'realm');
  // a caller who may not apply learns nothing about the applies of others
  const check = stillMay(ctx, realm.id, apply, (permit, target) => requireWhole(target, permit));
  await check();
  try {
    for await (const state of applyProgress(ctx.services, { realmId: realm.id, progressId }, check)) yield { state };
  } catch (failure) {
    yield { failure };
  }
}

builder.subscriptionField('realmApplyProgress', (t) =>
  t.field({
    type: ApplyProgressRef,
    description:
      'Status and progress of the apply that `realmApply` or the REST API makes with this `progressId`. Sends the current status first, then one message per step, and ends with the apply. A server process knows the progress of its own applies, and of those of others only the commit. Requires all permissions of the realm, which are checked before each message.',
    requires: { operation: apply, isChecked: true },
    args: {
      realm: t.arg.id({ required: true, description: 'ID of the realm.' }),
      progressId: t.arg.string({ required: true, description: '`progressId` of the apply.' }),
    },
    subscribe: (_root, { realm, progressId }, ctx) => begun(states(ctx, String(realm), progressId)),
    resolve: (told) => {
      if ('failure' in told) throw told.failure;
      return told.state;
    },
  }),
);
