import DataLoader from 'dataloader';
import { getFlow } from '../../services/authentication/operations.js';
import { type Context, loader } from '../../services/core/context.js';
import * as realms from '../../services/realms/operations.js';
import { builder } from '../core/builder.js';
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

interface FlowName {
  realmId: string;
  alias: string;
}

const keyOf = ({ realmId, alias }: FlowName): string => JSON.stringify([realmId, alias]);

/** The flow of a realm with this alias. Those that are asked for at the same time are one statement. */
function flowNamed(ctx: Context, name: FlowName): Promise<Flow | null> {
  const make = () =>
    new DataLoader<FlowName, Flow | null>(
      async (names) => {
        const aliasesIn = (wanted: string) =>
          names.flatMap(({ realmId, alias }) => (realmId === wanted ? [alias] : []));
        const realmIds = [...new Set(names.map(({ realmId }) => realmId))];
        const rows = await ctx.db.authenticationFlow.findMany({
          where: { OR: realmIds.map((realmId) => ({ realmId, alias: { in: aliasesIn(realmId) } })) },
          select: { id: true, realmId: true, alias: true, providerId: true },
        });
        const byName = new Map(rows.map((row) => [keyOf(row), row]));
        return names.map((wanted) => byName.get(keyOf(wanted)) ?? null);
      },
      // a mutation of the same request may rename a flow
      { cache: false },
    );
  return loader(ctx, 'flows by alias', make).load(name);
}

interface Bindings {
  realmId: string;
  aliases: Readonly<Record<string, unknown>>;
}

// whoever may view the settings of a realm may view its flows
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
            return typeof alias === 'string' ? flowNamed(ctx, { realmId, alias }) : null;
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
      alias === null ? null : flowNamed(ctx, { realmId, alias }),
  }),
  postLoginFlow: t.field({
    type: AuthenticationFlow,
    nullable: true,
    description: 'Flow that runs after each login with this identity provider. Null: none.',
    requires,
    select: { postBrokerLoginFlowAlias: true },
    resolve: ({ realmId, postBrokerLoginFlowAlias: alias }, _args, ctx) =>
      alias === null ? null : flowNamed(ctx, { realmId, alias }),
  }),
}));
