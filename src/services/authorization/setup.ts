import type { Db } from '../../database/db.js';
import type { Context } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import type { ResourceServerInput } from './representation.js';
import { addSettings } from './server.js';

/** The one script that is understood: it grants whatever it is asked about. */
const grantingScript = '// grants whatever it is asked about\n$evaluation.grant();\n';

/** What the authorization services of a new client begin with. */
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

/** Gives a client authorization services, with what a file says of them besides the defaults. */
export async function startServer(
  tx: Db,
  ctx: Context,
  realm: RealmRecord,
  client: { id: string; clientId: string },
  settings?: ResourceServerInput,
): Promise<void> {
  await tx.resourceServer.createMany({ data: { id: client.id } });
  const first = defaults(client.clientId);
  await addSettings(
    tx,
    ctx,
    { realmId: realm.id, resourceServerId: client.id },
    {
      ...settings,
      resources: [...(first.resources ?? []), ...(settings?.resources ?? [])],
      policies: [...(first.policies ?? []), ...(settings?.policies ?? [])],
    },
  );
}

/** Takes the authorization services of a client away, with everything that they had. */
export const endServer = (tx: Db, clientId: string): Promise<unknown> =>
  tx.later.resourceServer.deleteMany({ where: { id: clientId } });
