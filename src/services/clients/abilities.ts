import { abilitiesOf } from '../core/ability.js';
import { type Context, loader } from '../core/context.js';
import { batchLoader } from '../core/pace.js';
import { update as updateManagementPermission } from '../permissions/operations.js';
import { create as createMapper } from '../protocol-mappers/operations.js';
import { pushClientRevocation } from '../realms/upkeep.js';
import { create as createRole } from '../roles/operations.js';
import { add } from '../scope-mappings/writes.js';
import { remove } from './operations.js';
import { renewRegistrationToken } from './registration-token.js';
import { assignScope } from './scopes.js';
import { revokePreviousSecret, rotateSecret } from './secret-operations.js';
import { update } from './update.js';

/** Which clients administer a realm: one statement for all that are asked about at the same time. */
const administers = (ctx: Context) =>
  loader(ctx, 'clients that administer realms', () => {
    const find = async (ids: readonly string[]) => {
      const where = { adminClientId: { in: [...ids] } };
      const realms = await ctx.db.realm.findMany({ where, select: { adminClientId: true } });
      const found = new Set(realms.map(({ adminClientId }) => adminClientId));
      return ids.map((id) => found.has(id));
    };
    return batchLoader(ctx, find);
  });

/** What can be done with a client. */
export const clientAbilities = abilitiesOf<{ id: string }>()({
  reads: {},
  target: (client) => ({ client, owner: { kind: 'client', id: client.id } }),
  of: {
    update: { operation: update },
    delete: { operation: remove, bars: { ADMINISTRATION: ({ id }, _realm, ctx) => administers(ctx).load(id) } },
    rotateSecret: { operation: rotateSecret },
    revokePreviousSecret: { operation: revokePreviousSecret },
    rotateRegistrationToken: { operation: renewRegistrationToken },
    createRole: { operation: createRole, kind: 'client role' },
    addClientScope: { operation: assignScope },
    createProtocolMapper: { operation: createMapper },
    addScopeMapping: { operation: add },
    updateManagementPermission: { operation: updateManagementPermission, kind: 'client' },
    pushRevocation: { operation: pushClientRevocation },
  },
});
