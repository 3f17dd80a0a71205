import { begun } from '../../services/core/begun.js';
import type { Context } from '../../services/core/context.js';
import { storageById } from '../../services/user-storage/locate.js';
import { overview } from '../../services/user-storage/overview.js';
import { type SyncState, syncStates } from '../../services/user-storage/sync/sync-state.js';
import { builder } from '../core/builder.js';
import { locatedNode } from '../core/node.js';
import { type RenewableContext, stillMay } from '../events/subscriptions.js';

export const SyncKind = builder.enumType('UserSyncKind', {
  description: 'Users that a synchronisation covers.',
  values: {
    FULL: { value: 'triggerFullSync', description: 'All users. Users that the directory no longer has are deleted.' },
    CHANGED: { value: 'triggerChangedUsersSync', description: 'Users changed since the last synchronisation.' },
  },
});

const SyncStatus = builder.enumType('UserSyncStatus', {
  description: 'Status of a synchronisation.',
  values: {
    NEVER: { description: 'No synchronisation has run yet.' },
    RUNNING: { description: 'The synchronisation is running.' },
    DONE: { description: 'The synchronisation is complete.' },
    FAILED: { description: 'The synchronisation stopped with an error. Changes made before it are kept.' },
    INTERRUPTED: { description: 'The server process that ran it stopped. The next synchronisation continues.' },
  },
});

const kindOf = { FULL: 'triggerFullSync', CHANGED: 'triggerChangedUsersSync' } as const;

/** A synchronisation, running or ended. */
export const SyncStateRef = builder.objectRef<SyncState>('UserStorageSync').implement({
  description: 'Status and progress of the current or last synchronisation of a user storage.',
  fields: (t) => ({
    status: t.expose('status', { type: SyncStatus, description: 'Status of the synchronisation.' }),
    isFinished: t.boolean({
      description: 'Whether no synchronisation is running.',
      resolve: ({ status }) => status !== 'RUNNING',
    }),
    kind: t.field({
      type: SyncKind,
      nullable: true,
      description: 'Users that the synchronisation covers. Null before the first one.',
      resolve: ({ kind }) => kind && kindOf[kind],
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the synchronisation started. Null before the first one.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the synchronisation ended. Null while it is running and before the first one.',
    }),
    done: t.exposeInt('done', { description: 'Number of directory entries processed so far.' }),
    total: t.exposeInt('total', {
      nullable: true,
      description:
        'Expected number of directory entries: as many as the last successful full synchronisation read. After a success, equal to `done`. Null: unknown.',
    }),
    added: t.exposeInt('added', { description: 'Number of users added.' }),
    updated: t.exposeInt('updated', { description: 'Number of users updated.' }),
    removed: t.exposeInt('removed', {
      description: 'Number of users deleted because the directory no longer has them.',
    }),
    failed: t.exposeInt('failed', { description: 'Number of users that could not be imported.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Error that stopped the synchronisation. Null if there was none.',
    }),
  }),
});

/** The storage of an input. */
export async function storage(ctx: Context, globalId: string) {
  const { id, realm } = await locatedNode(ctx, globalId, 'id', 'UserStorage');
  return storageById(ctx, realm, id);
}

/** The description of the ID in inputs. */
export const storageId = 'ID of the user storage.';

/** A state, or the reason why no more states follow. */
type Told = { state: SyncState } | { failure: unknown };

async function* states(ctx: RenewableContext, globalId: string): AsyncGenerator<Told> {
  const { realm, component } = await storage(ctx, globalId);
  const check = stillMay(ctx, realm.id, overview);
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
      'Status and progress of the synchronisations of a user storage. Sends the current status first, then one message per batch, on whichever server instance it runs. Continues with the next synchronisation. The permission is checked before each message.',
    requires: { operation: overview, isChecked: true },
    args: { userStorage: t.arg.id({ required: true, description: storageId }) },
    subscribe: (_root, { userStorage: id }, ctx) => begun(states(ctx, String(id))),
    resolve: (told) => {
      if ('failure' in told) throw told.failure;
      return told.state;
    },
  }),
);
