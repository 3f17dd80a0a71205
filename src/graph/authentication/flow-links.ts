import { getFlow } from '../../services/authentication/operations.js';
import * as realms from '../../services/realms/operations.js';
import { builder } from '../core/builder.js';
import { byName } from '../core/names.js';
import { IdentityProvider } from '../identity-providers/identity-providers.js';
import { flowPurposes } from '../realms/flows.js';
import { Realm } from '../realms/realms.js';
import { AuthenticationFlow } from './flows.js';

interface Flow {
  id: string;
  realmId: string;
  alias: string;
  providerId: string;
}

const flowNamed = byName<Flow>('authenticationFlow', 'alias', {
  id: true,
  realmId: true,
  alias: true,
  providerId: true,
});

interface Bindings {
  realmId: string;
  aliases: Readonly<Record<string, unknown>>;
}

// the permission to view the settings of a realm is that to view its flows
const RealmFlows = builder.objectRef<Bindings>('RealmFlows').implement({
  description: 'Authentication flows and the purposes they are used for.',
  fields: (t) =>
    Object.fromEntries(
      flowPurposes.map(({ name, wire, description }) => [
        name,
        t.field({
          type: AuthenticationFlow,
          nullable: true,
          description,
          resolve: ({ realmId, aliases }, _args, ctx) => {
            const alias = aliases[wire];
            return typeof alias === 'string' ? flowNamed(ctx, realmId, alias) : null;
          },
        }),
      ]),
    ),
});

builder.prismaObjectField(Realm, 'flows', (t) =>
  t.field({
    type: RealmFlows,
    nullable: true,
    description: 'Authentication flows and the purposes they are used for.',
    requires: realms.settings,
    select: { settings: true },
    resolve: ({ id, settings }) => ({ realmId: id, aliases: settings as Bindings['aliases'] }),
  }),
);

const requires = { operation: getFlow, otherwise: 'NULL' } as const;

builder.prismaObjectFields(IdentityProvider, (t) => ({
  firstLoginFlow: t.field({
    type: AuthenticationFlow,
    nullable: true,
    description: 'Flow for the first login of a user with this identity provider.',
    requires,
    select: { firstBrokerLoginFlowAlias: true },
    resolve: ({ realmId, firstBrokerLoginFlowAlias: alias }, _args, ctx) =>
      alias === null ? null : flowNamed(ctx, realmId, alias),
  }),
  postLoginFlow: t.field({
    type: AuthenticationFlow,
    nullable: true,
    description: 'Flow that runs after each login with this identity provider. Null: none.',
    requires,
    select: { postBrokerLoginFlowAlias: true },
    resolve: ({ realmId, postBrokerLoginFlowAlias: alias }, _args, ctx) =>
      alias === null ? null : flowNamed(ctx, realmId, alias),
  }),
}));
