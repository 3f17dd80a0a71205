import type DataLoader from 'dataloader';
import type { Db } from '../../database/db.js';
import { clientsBoundTo, providersBoundTo } from '../../services/authentication/store.js';
import * as clients from '../../services/clients/operations.js';
import { type Context, loader } from '../../services/core/context.js';
import { batchLoader } from '../../services/core/pace.js';
import * as identityProviders from '../../services/identity-providers/operations.js';
import { bindingNames } from '../../services/realms/assemble/settings.js';
import type { FlowBinding } from '../../services/realms/defaults/settings.js';
import { realmById } from '../../services/realms/locate.js';
import * as realms from '../../services/realms/operations.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { IdentityProvider } from '../identity-providers/identity-providers.js';
import { AuthenticationFlow } from './flows.js';

const bindingUses: Record<FlowBinding, string> = {
  browserFlow: 'BROWSER',
  registrationFlow: 'REGISTRATION',
  directGrantFlow: 'DIRECT_GRANT',
  resetCredentialsFlow: 'RESET_CREDENTIALS',
  clientAuthenticationFlow: 'CLIENT_AUTHENTICATION',
  dockerAuthenticationFlow: 'DOCKER_AUTHENTICATION',
};

const FlowUse = builder.enumType('AuthenticationFlowUse', {
  description: 'Purpose for which a realm uses an authentication flow.',
  values: {
    BROWSER: { description: 'Login in the browser.' },
    REGISTRATION: { description: 'Registration of new users.' },
    DIRECT_GRANT: { description: 'Resource owner password credentials grant.' },
    RESET_CREDENTIALS: { description: 'Reset of a forgotten password.' },
    CLIENT_AUTHENTICATION: { description: 'Authentication of clients.' },
    DOCKER_AUTHENTICATION: { description: 'Authentication of Docker clients.' },
  },
});

interface Bound {
  flowId: string;
  id: string;
}

/** The uses of flows, by the ID of the flow: one statement for all flows of a request. */
const bound = (
  ctx: Context,
  what: string,
  find: (db: Db, flowIds: readonly string[]) => Promise<Bound[]>,
): DataLoader<string, Bound[]> =>
  loader(ctx, `${what} bound to flows`, () =>
    batchLoader(ctx, async (ids: readonly string[]) => {
      const found = await find(ctx.db, ids);
      return ids.map((id) => found.filter(({ flowId }) => flowId === id));
    }),
  );

builder.prismaObjectFields(AuthenticationFlow, (t) => ({
  uses: t.field({
    type: [FlowUse],
    nullable: true,
    description: 'Purposes for which the realm uses this flow.',
    requires: realms.settings,
    resolve: async ({ realmId, alias }, _args, ctx) => {
      const { settings } = await realmById(ctx, realmId);
      return bindingNames.filter((name) => settings[name] === alias).map((name) => bindingUses[name] as 'BROWSER');
    },
  }),
  clients: t.field({
    type: [Client],
    nullable: true,
    description: 'Clients that override a flow of the realm with this one, ordered by clientId.',
    requires: clients.get,
    complexity: { field: 1, multiplier: 3 },
    resolve: async ({ id, realmId }, _args, ctx) => {
      const found = await bound(ctx, 'clients', clientsBoundTo).load(id);
      return found.map((client) => ({ id: client.id, realmId }));
    },
  }),
  identityProviders: t.field({
    type: [IdentityProvider],
    nullable: true,
    description: 'Identity providers whose first or post-login flow is this one, ordered by alias.',
    requires: identityProviders.get,
    complexity: { field: 1, multiplier: 3 },
    resolve: async ({ id, realmId }, _args, ctx) => {
      const found = await bound(ctx, 'identity providers', providersBoundTo).load(id);
      return found.map((provider) => ({ id: provider.id, realmId }));
    },
  }),
}));
