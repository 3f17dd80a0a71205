import { begun } from '../../services/core/begun.js';
import type { Context } from '../../services/core/context.js';
import { storageById } from '../../services/user-storage/locate.js';
import { type SyncState, syncStates } from '../../services/user-storage/sync-state.js';
import { builder } from '../core/builder.js';
import { locatedNode } from '../core/node.js';
import { type RenewableContext, stillMay } from '../events/subscriptions.js';

export const SyncKind = builder.enumType('UserSyncKind', {
  description: 'Which users a synchronisation looks at.',
  values: {
    FULL: { value: 'triggerFullSync', description: 'All of them; whoever is gone is deleted.' },
    CHANGED: { value: 'triggerChangedUsersSync', description: 'Those that changed since the last time.' },
  },
});

const SyncStatus = builder.enumType('UserSyncStatus', {
  description: 'How a synchronisation stands.',
  values: {
    NEVER: { description: 'There was none yet.' },
    RUNNING: { description: 'It goes on.' },
    DONE: { description: 'It came to its end.' },
    FAILED: { description: 'It stopped at an error; what was done until then stays.' },
    INTERRUPTED: { description: 'Whoever did it is gone; the next one goes on.' },
  },
});

const kindOf = { FULL: 'triggerFullSync', CHANGED: 'triggerChangedUsersSync' } as const;

/** A synchronisation, while it goes on and after. */
export const SyncStateRef = builder.objectRef<SyncState>('UserStorageSync').implement({
  description: 'How the present synchronisation of a storage goes, or how the last one ended.',
  fields: (t) => ({
    status: t.expose('status', { type: SyncStatus, description: 'How it stands.' }),
    isFinished: t.boolean({
      description: 'Whether nothing goes on.',
      resolve: ({ status }) => status !== 'RUNNING',
    }),
    kind: t.field({
      type: SyncKind,
      nullable: true,
      description: 'Which users it looks at; null before there was one.',
      resolve: ({ kind }) => kind && kindOf[kind],
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true, description: 'When it began.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null while it goes on.',
    }),
    done: t.exposeInt('done', { description: 'How many entries of the directory it has looked at.' }),
    total: t.exposeInt('total', {
      nullable: true,
      description:
        'How many entries that are in the end: while all are looked at, as many as the last time. Null where nobody knows.',
    }),
    added: t.exposeInt('added', { description: 'How many users were new.' }),
    updated: t.exposeInt('updated', { description: 'How many had changed.' }),
    removed: t.exposeInt('removed', { description: 'How many were gone, and were deleted.' }),
    failed: t.exposeInt('failed', { description: 'How many could not be taken over.' }),
    error: t.exposeString('error', { nullable: true, description: 'What it stopped at.' }),
  }),
});

/** The storage of an input. */
export async function storage(ctx: Context, globalId: string) {
  const { id, realm } = await locatedNode(ctx, globalId, 'id', 'Component');
  return storageById(ctx, realm, id);
}

/** What an input says of its id. */
export const storageId = 'Id of the storage, which is that of its component.';

/** A state, or why there are no more of them. */
type Told = { state: SyncState } | { failure: unknown };

async function* states(ctx: RenewableContext, globalId: string): AsyncGenerator<Told> {
  const { realm, component } = await storage(ctx, globalId);
  const check = stillMay(ctx, realm.id, 'view:realm');
  await check();
  try {
    for await (const state of syncStates(ctx.services, component.id, check)) yield { state };
  } catch (failure) {
    yield { failure };
  }
}

builder.subscriptionField('userStorageSync', (t) =>
  t.field({
    type: SyncStateRef,
    description:
      'How the users of a storage are synchronised: at first how it stands, then after each batch, whichever instance does it and whoever began it. Goes on with the next synchronisation. Takes view-realm for as long as it lasts.',
    args: { storage: t.arg.id({ required: true, description: storageId }) },
    subscribe: (_root, { storage: id }, ctx) => begun(states(ctx, String(id))),
    resolve: (told) => {
      if ('failure' in told) throw told.failure;
      return told.state;
    },
  }),
);
