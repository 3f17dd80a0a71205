import { getFlow } from '../../services/authentication/operations.js';
import { Client } from '../clients/clients.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { AuthenticationFlow } from './flows.js';

/** The flows of a client in place of its realm's flows. The client's realm determines the callers who may see them. */
interface Overrides {
  id: string;
  realmId: string;
  flows: Readonly<Record<string, string>>;
}

/** The uses that a client can override, by their names in the contract. */
const uses = [
  ['browser', 'browser', 'Flow for logins in the browser. Null: that of the realm.'],
  [
    'directGrant',
    'direct_grant',
    'Flow for the password credentials grant (direct access grant). Null: that of the realm.',
  ],
] as const;

const FlowOverrides = builder.objectRef<Overrides>('ClientFlowOverrides').implement({
  description: 'Authentication flows that a client uses in place of those of its realm.',
  fields: (t) =>
    Object.fromEntries(
      uses.map(([name, use, description]) => [
        name,
        t.prismaField({
          type: AuthenticationFlow,
          nullable: true,
          description,
          requires: { operation: getFlow, otherwise: 'NULL' },
          resolve: (query, { flows }, _args, ctx) => {
            const id = flows[use];
            return id === undefined
              ? null
              : batchingClient(ctx).authenticationFlow.findUnique({ ...query, where: { id } });
          },
        }),
      ]),
    ),
});

builder.prismaObjectField(Client, 'flowOverrides', (t) =>
  t.field({
    type: FlowOverrides,
    description: 'Authentication flows that the client uses in place of those of its realm.',
    select: { id: true, realmId: true, authenticationFlowBindingOverrides: true },
    resolve: ({ id, realmId, authenticationFlowBindingOverrides }) => ({
      id,
      realmId,
      flows: authenticationFlowBindingOverrides as Record<string, string>,
    }),
  }),
);
