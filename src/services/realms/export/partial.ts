import type { Db } from '../../../database/db.js';
import { breaksIn, inTurns, type Pause } from '../../../database/turns.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import {
  authenticatorConfigSelect,
  type ConfigName,
  type ConfigRow,
  encodeAuthenticatorConfig,
  encodeFlow,
  encodeRequiredAction,
  flowSelect,
  requiredActionSelect,
} from '../../authentication/encode.js';
import { exportServer } from '../../authorization/encode.js';
import { wholeServerSelect } from '../../authorization/store.js';
import { clientScopeSelect, encodeClientScope } from '../../client-scopes/encode.js';
import { encodeClient } from '../../clients/encode.js';
import { encodeServiceAccount, serviceAccountSelect } from '../../clients/service-account.js';
import { full as clientSelect } from '../../clients/store.js';
import { componentSelect } from '../../components/encode.js';
import { mask } from '../../core/mask.js';
import { read } from '../../core/operation.js';
import { flag, type Input, representation } from '../../core/shape.js';
import type { Target } from '../../core/target.js';
import { encodeGroupTree } from '../../groups/representation.js';
import { trees } from '../../groups/tree.js';
import { encodeFullRole } from '../../roles/representation.js';
import { full as roleSelect } from '../../roles/store.js';
import { defaultRoleSelect, encodeRealm, wholeRealmSelect } from '../encode.js';
import { componentTree, namesByClient, type ScopeSource, scopeMappings } from './parts.js';

/** The version of the contract: tools use it to interpret a file. */
const contractVersion = '15.0.2';

const roleName = { select: { name: true, client: { select: { clientId: true } } } } as const;
const byRoleName = { role: { name: 'asc' } } as const;
const rolesInScope = { select: { role: roleName }, orderBy: byRoleName } as const;

const settingsSelect = {
  ...wholeRealmSelect,
  flows: { select: flowSelect },
  authenticatorConfs: { select: authenticatorConfigSelect, orderBy: [{ alias: 'asc' }, { id: 'asc' }] },
  requiredActions: { select: requiredActionSelect, orderBy: { priority: 'asc' } },
  components: { select: componentSelect },
  clientScopes: {
    select: { ...clientScopeSelect, assignment: true, scopeMappings: rolesInScope },
    orderBy: { name: 'asc' },
  },
} as const satisfies Prisma.RealmSelect;

/** Number of clients that are read at once: SQLite blocks all requests while it reads them in a transaction. */
const clientsAtOnce = 1000;

const someClients = {
  select: {
    ...clientSelect,
    secret: true,
    scopeMappings: rolesInScope,
    resourceServer: { select: wholeServerSelect },
  },
  orderBy: { clientId: 'asc' },
  take: clientsAtOnce,
} as const satisfies Prisma.ClientFindManyArgs;

const clientsSelect = {
  clients: someClients,
  users: {
    where: { serviceAccountClientId: { not: null } },
    select: {
      ...serviceAccountSelect,
      serviceAccountClient: { select: { clientId: true } },
      roles: { select: { role: roleName }, orderBy: byRoleName },
      groups: { select: { group: { select: { path: true } } }, orderBy: { group: { path: 'asc' } } },
    },
    orderBy: { username: 'asc' },
  },
} as const satisfies Prisma.RealmSelect;

const rolesSelect = {
  clients: { select: { id: true, clientId: true }, orderBy: { clientId: 'asc' } },
  roles: {
    select: { ...roleSelect, composites: { select: { child: roleName }, orderBy: { child: { name: 'asc' } } } },
    orderBy: { name: 'asc' },
  },
} as const satisfies Prisma.RealmSelect;

type Clients = Prisma.RealmGetPayload<{ select: typeof clientsSelect }>;
type Roles = Prisma.RealmGetPayload<{ select: typeof rolesSelect }>;

/** The clients of a realm, and their service accounts. */
async function readClients(db: Db, realmId: string, pause: Pause): Promise<Clients> {
  const { clients, users } = await db.realm.findUniqueOrThrow({ where: { id: realmId }, select: clientsSelect });
  const all = [...clients];
  for (let last = clients.at(-1); last && all.length % clientsAtOnce === 0; last = all.at(-1)) {
    await pause();
    const more = await db.client.findMany({ ...someClients, where: { realmId, clientId: { gt: last.clientId } } });
    if (more.length === 0) break;
    all.push(...more);
  }
  return { clients: all, users };
}

/** Clients as an export shows them: a secret is a mask. */
const exportedClient = async (
  { secret, scopeMappings: _inScope, resourceServer, ...client }: Clients['clients'][number],
  pause: Pause,
) => ({
  ...encodeClient(client),
  ...(secret !== null && { secret: mask }),
  ...(resourceServer && { authorizationSettings: await exportServer(resourceServer, pause) }),
});

async function exportedClients({ clients }: Clients, pause: Pause) {
  const exported: Awaited<ReturnType<typeof exportedClient>>[] = [];
  for (const client of clients) {
    await pause();
    exported.push(await exportedClient(client, pause));
  }
  return exported;
}

const exportedAccount = (user: Clients['users'][number], withRoles: boolean) => {
  const { realm, client } = namesByClient(user.roles.map(({ role }) => role));
  return {
    ...encodeServiceAccount(user),
    serviceAccountClientId: user.serviceAccountClient?.clientId,
    ...(withRoles && {
      ...(realm.length > 0 && { realmRoles: realm }),
      ...(Object.keys(client).length > 0 && { clientRoles: client }),
      groups: user.groups.map(({ group }) => group.path),
    }),
  };
};

const exportedRole = ({ composites, ...role }: Roles['roles'][number]) => {
  const { realm, client } = namesByClient(composites.map(({ child }) => child));
  return {
    ...encodeFullRole(role),
    ...(composites.length > 0 && {
      composites: { ...(realm.length > 0 && { realm }), ...(Object.keys(client).length > 0 && { client }) },
    }),
  };
};

/** Client roles are read with the clients. */
async function exportedRoles({ clients, roles }: Roles, withClients: boolean, pause: Pause) {
  const ofRealm = roles.filter(({ clientId }) => clientId === null);
  const realm = await inTurns(ofRealm, exportedRole, pause);
  if (!withClients) return { realm };
  const byClient = new Map<string, ReturnType<typeof exportedRole>[]>(clients.map(({ id }) => [id, []]));
  for (const role of roles) {
    await pause();
    byClient.get(role.clientId ?? '')?.push(exportedRole(role));
  }
  const client = Object.fromEntries(clients.map(({ id, clientId }) => [clientId, byClient.get(id)]));
  return { realm, client };
}

/** The parts of an export besides the settings. */
export const ExportOptions = representation('ExportOptions', { clients: flag, groupsAndRoles: flag });

/**
 * A realm with the requested parts: RealmRepresentation without users, with masks for its secrets. `nameConfigs`
 * determines the names of the configurations of steps in flows; default: their aliases, as in the contract.
 */
export async function exportedRealm(
  db: Db,
  id: string,
  input: Input<typeof ExportOptions>,
  nameConfigs: (configs: readonly ConfigRow[]) => ConfigName | undefined = () => undefined,
) {
  const where = { id };
  const pause = breaksIn(db);
  await pause();
  const realm = await db.realm.findUniqueOrThrow({ where, select: settingsSelect });
  const role = await db.role.findUnique({ where: { id: realm.defaultRoleId ?? '' }, select: defaultRoleSelect });
  await pause();
  const withClients = input.clients ? await readClients(db, id, pause) : undefined;
  await pause();
  const withRoles = input.groupsAndRoles ? await db.realm.findUniqueOrThrow({ where, select: rolesSelect }) : undefined;
  await pause();
  const nameOf = nameConfigs(realm.authenticatorConfs);
  const named = (assignment: string) =>
    realm.clientScopes.filter((scope) => scope.assignment === assignment).map(({ name }) => name);
  const sources: ScopeSource[] = [
    ...realm.clientScopes.map(({ name, scopeMappings: rows }) => ({ clientScope: name, rows })),
    ...(withClients?.clients ?? []).map(({ clientId, scopeMappings: rows }) => ({ client: clientId, rows })),
  ];
  const exported = {
    ...encodeRealm(realm, role),
    keycloakVersion: contractVersion,
    ...scopeMappings(sources),
    authenticationFlows: realm.flows.map((flow) => encodeFlow(flow, nameOf)),
    authenticatorConfig: realm.authenticatorConfs.map(encodeAuthenticatorConfig),
    requiredActions: realm.requiredActions.map(encodeRequiredAction),
    components: componentTree(id, realm.components),
    clientScopes: realm.clientScopes.map(encodeClientScope),
    defaultDefaultClientScopes: named('default'),
    defaultOptionalClientScopes: named('optional'),
    ...(withClients && {
      clients: await exportedClients(withClients, pause),
      ...(withClients.users.length > 0 && {
        users: withClients.users.map((user) => exportedAccount(user, withRoles !== undefined)),
      }),
    }),
    ...(withRoles && {
      roles: await exportedRoles(withRoles, withClients !== undefined, pause),
      groups: await inTurns(await trees(db, id, {}, false), encodeGroupTree, pause),
    }),
  };
  await pause();
  return exported;
}

export const partialExport = read({
  name: 'realm.export',
  summary: 'Exports a realm as a file that can be imported, without users and with masked secrets.',
  input: ExportOptions,
  allow: 'view:realm',
  check: (permit, _target: Target, { clients, groupsAndRoles }) => {
    if (groupsAndRoles) permit.require('view:groups');
    if (clients) permit.require('view:clients');
  },
  run: (ctx, { realm: { id } }: Target, input) => exportedRealm(ctx.db, id, input),
});
