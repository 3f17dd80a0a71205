import type { Db } from '../../database/db.js';
import type { Context } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import type { ResourceServerInput } from './representation.js';
import { addSettings } from './server.js';

/** The only supported script: it grants every request. */
const grantingScript = '// grants whatever it is asked about\n$evaluation.grant();\n';

/** The initial authorization services of a new client. */
const defaults = (clientId: string): ResourceServerInput => ({
  resources: [{ name: 'Default Resource', type: `urn:${clientId}:resources:default`, uris: ['/*'] }],
  policies: [
    {
      name: 'Default Policy',
      description: 'Grants access to every user of the realm',
      type: 'js',
      decisionStrategy: 'AFFIRMATIVE',
      config: { code: grantingScript },
    },
    {
      name: 'Default Permission',
      description: 'Applies the default policy to the default resources',
      type: 'resource',
      config: {
        defaultResourceType: `urn:${clientId}:resources:default`,
        applyPolicies: JSON.stringify(['Default Policy']),
      },
    },
  ],
});

/** A client that gets authorization services. */
interface Server {
  id: string;
  clientId: string;
  /** settings from a file besides the defaults */
  settings?: ResourceServerInput | undefined;
}

/** Enables authorization services for clients. */
export async function startServers(
  tx: Db,
  ctx: Context,
  realm: RealmRecord,
  clients: readonly Server[],
): Promise<void> {
  if (clients.length === 0) return;
  await tx.resourceServer.createMany({ data: clients.map(({ id }) => ({ id })) });
  const servers = clients.map(({ id, clientId, settings }) => {
    const first = defaults(clientId);
    return {
      id,
      settings: {
        ...settings,
        resources: [...(first.resources ?? []), ...(settings?.resources ?? [])],
        policies: [...(first.policies ?? []), ...(settings?.policies ?? [])],
      },
    };
  });
  await addSettings(tx, ctx, realm, servers);
}

/** Removes the authorization services of clients, with all their objects. */
export async function endServers(tx: Db, clientIds: readonly string[]): Promise<void> {
  if (clientIds.length > 0) await tx.later.resourceServer.deleteMany({ where: { id: { in: [...clientIds] } } });
}
