import { mailNotice } from '../mail/notice.js';
import { removeUser } from '../users/operations.js';
import type { Account } from './account.js';
import { ownWrite, storeOwnEvent } from './operation.js';

export const deleteAccount = ownWrite({
  name: 'account.delete',
  summary: 'Deletes the caller with its credentials, sessions, and links. The last administrator of the server stays.',
  roles: ['delete-account'],
  lock: removeUser.lock,
  prepare: async (ctx, account: Account, _input, asked): Promise<void> =>
    removeUser.prepare?.(ctx, account, undefined, { dryRun: false, ...asked, keepsAdministrator: true }),
  run: async (tx, account, _input, { ctx }): Promise<{ id: string }> => {
    await storeOwnEvent(tx, ctx, account, 'DELETE_ACCOUNT');
    const removed = await removeUser.run(tx, account, undefined, { ctx, prepared: undefined });
    // the pipeline checks this for administrators only, but here the user acts without administration roles
    await ctx.services.access.requireAdministrator(ctx, account);
    return removed;
  },
  event: ({ id }, { path }) => ({ operationType: 'DELETE', resourceType: 'USER', resourcePath: path, resourceId: id }),
  touches: ({ id }, { realm }) => [`users:${realm.id}`, `user:${id}`],
  effect: (ctx, _result, { realm, user }) => mailNotice(ctx.services, realm, user, { kind: 'deleted' }),
});
