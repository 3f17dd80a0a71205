import type { Db } from '../../database/db.js';
import { takenIds } from '../../database/taken-ids.js';
import { breaksIn } from '../../database/turns.js';
import { updateEach } from '../../database/update-each.js';
import type { ClientTarget } from '../clients/locate.js';
import type { Context } from '../core/context.js';
import { read, write } from '../core/operation.js';
import { fileIds, idsIn } from '../core/own-id.js';
import { patchOf } from '../core/patch.js';
import { conflict, found, invalid } from '../core/refusal.js';
import { assemble, type KnownNames, ownersOf, rulesOf } from './assemble.js';
import { exportServer } from './encode.js';
import { altersServer, type ServerTarget, serverSelect } from './locate.js';
import { providers } from './policy-types.js';
import { referencesIn } from './references.js';
import { type ResourceServerInput, ResourceServerRepresentation } from './representation.js';
import { type AuthorizationRows, insertRows } from './rows.js';
import type { SubjectReference } from './rule.js';
import { wholeServerSelect } from './store.js';

/** ResourceServerRepresentation of the settings alone: the lists are empty here, as recorded. */
const encodeServer = ({ server, client }: ServerTarget) => ({
  id: server.id,
  clientId: server.id,
  name: client.clientId,
  allowRemoteResourceManagement: server.allowRemoteResourceManagement,
  policyEnforcementMode: server.policyEnforcementMode,
  decisionStrategy: server.decisionStrategy,
  resources: [],
  policies: [],
  scopes: [],
});

export const getServer = read({
  name: 'resourceServer.get',
  summary: 'Returns the authorization services settings of a client.',
  allow: 'view:authorization',
  run: async (_ctx, target: ServerTarget) => ({
    representation: encodeServer(target),
    version: target.server.version,
  }),
});

export const exportSettings = read({
  name: 'resourceServer.export',
  summary: 'Exports all resources, scopes, policies, and permissions of a client, with names instead of IDs.',
  allow: 'manage:authorization',
  alters: altersServer,
  run: async (ctx, { server }: ServerTarget) =>
    exportServer(
      await ctx.db.resourceServer.findUniqueOrThrow({ where: { id: server.id }, select: wholeServerSelect }),
      breaksIn(ctx.db),
    ),
});

export const listProviders = read({
  name: 'policy.providers',
  summary: 'Returns the available types of policies and permissions.',
  allow: 'view:authorization',
  run: async (_ctx, _target: ClientTarget) => providers(),
});

const touchedServer = ({ server, realm }: ServerTarget): string[] => [
  `client:${server.id}`,
  `authorization:${server.id}`,
  `clients:${realm.id}`,
  'rights',
];

/** The keys that any change in a resource server touches. */
export const touchesServer = (_result: unknown, target: ServerTarget): string[] => touchedServer(target);

const settingsOf = (input: ResourceServerInput) => ({
  allowRemoteResourceManagement: input.allowRemoteResourceManagement ?? true,
  policyEnforcementMode: input.policyEnforcementMode ?? 'ENFORCING',
  decisionStrategy: input.decisionStrategy ?? 'UNANIMOUS',
});

export const updateServer = write({
  name: 'resourceServer.update',
  summary: 'Changes the authorization services settings of a client. Lists in the body are ignored.',
  input: ResourceServerRepresentation,
  allow: 'manage:authorization',
  alters: altersServer,
  lock: ({ server }: ServerTarget) => ({ model: 'ResourceServer', id: server.id }),
  refresh: async (tx, target: ServerTarget) => {
    const { id } = target.server;
    const server = await tx.resourceServer.findUnique({ where: { id }, select: serverSelect });
    return { ...target, server: found(server, 'The client has no authorization services') };
  },
  run: async (tx, { server }: ServerTarget, input) => {
    if (!input.policyEnforcementMode) throw invalid('`policyEnforcementMode` is required', 'policyEnforcementMode');
    if (!input.decisionStrategy || input.decisionStrategy === 'CONSENSUS')
      throw invalid('`decisionStrategy` of a resource server must be UNANIMOUS or AFFIRMATIVE', 'decisionStrategy');
    const settings = settingsOf(input);
    await tx.later.resourceServer.updateMany({
      where: { id: server.id },
      data: { ...settings, version: { increment: 1 } },
    });
    return { ...server, ...settings, version: server.version + 1 };
  },
  event: (server, target) => ({
    operationType: 'UPDATE',
    resourceType: 'AUTHORIZATION_RESOURCE_SERVER',
    resourcePath: target.path,
    representation: encodeServer({ ...target, server }),
    before: encodeServer(target),
  }),
  touches: touchesServer,
});

export const patchServer = patchOf(updateServer, { current: encodeServer, empty: {} });

/** A resource server with the objects to which an import adds. */
interface ImportTarget extends ServerTarget {
  known?: KnownNames;
}

const named = (names: Iterable<string>): Record<string, string> =>
  Object.fromEntries([...names].map((name) => [name, name]));

/** The data that an import can change: the settings, and the names of the existing objects. */
const importable = (target: ImportTarget) => {
  const { scopes, resources, policies } = target.known ?? nothingKnown;
  const { allowRemoteResourceManagement, policyEnforcementMode, decisionStrategy } = target.server;
  return {
    allowRemoteResourceManagement,
    policyEnforcementMode,
    decisionStrategy,
    scopes: named(scopes.keys()),
    // the name after the ID of the owner
    resources: named([...resources.keys()].map((key) => key.slice(key.indexOf(' ') + 1))),
    policies: named(policies.keys()),
  };
};

export const importSettings = write({
  name: 'resourceServer.import',
  summary:
    'Imports resources, scopes, policies, and permissions from an export. Objects whose name already exists stay unchanged.',
  input: ResourceServerRepresentation,
  allow: 'manage:authorization',
  alters: altersServer,
  lock: ({ server }: ImportTarget) => ({ model: 'ResourceServer', id: server.id }),
  refresh: async (tx, target: ImportTarget): Promise<ImportTarget> => {
    const { id } = target.server;
    const server = await tx.resourceServer.findUnique({ where: { id }, select: serverSelect });
    const known = (await knownNames(tx, [id])).get(id) ?? nothingKnown;
    return { ...target, server: found(server, 'The client has no authorization services'), known };
  },
  snapshot: importable,
  run: async (tx, { realm, server }: ImportTarget, input, { ctx }) => {
    await addSettings(tx, ctx, realm, [{ id: server.id, settings: input }]);
    return { id: server.id };
  },
  conflict: () => conflict('An object with this name already exists', 'name', 'NAME_TAKEN'),
  event: (_result, { path }, input) => ({
    operationType: 'UPDATE',
    resourceType: 'AUTHORIZATION_RESOURCE_SERVER',
    resourcePath: `${path}/import`,
    representation: input,
  }),
  touches: touchesServer,
});

interface ServerSettings {
  /** ID of the resource server */
  id: string;
  settings: ResourceServerInput;
}

/**
 * Adds the objects of files to resource servers of a realm, and takes over their decision settings. A bounded number of
 * statements.
 */
export async function addSettings(
  tx: Db,
  ctx: Context,
  realm: { id: string },
  servers: readonly ServerSettings[],
): Promise<void> {
  const files = servers.map(({ settings }) => settings);
  if (files.some(({ decisionStrategy }) => decisionStrategy === 'CONSENSUS'))
    throw invalid('`decisionStrategy` of a resource server must be UNANIMOUS or AFFIRMATIVE', 'decisionStrategy');
  await updateEach(
    tx,
    'ResourceServer',
    servers.map(({ id, settings }) => ({ id, ...settingsOf(settings) })),
  );
  const pause = breaksIn(tx);
  const subjects: SubjectReference[] = [];
  for (const file of files) {
    const rules = await rulesOf(file, pause);
    subjects.push(...rules.flatMap((rule) => rule.subjects ?? []), ...ownersOf(file));
  }
  const known = await knownNames(
    tx,
    servers.map(({ id }) => id),
  );
  const resolve = await referencesIn(tx, realm.id, subjects);
  const taken = await takenIds(tx, idsIn(files));
  const rows: AuthorizationRows[] = [];
  for (const { id, settings } of servers) {
    const around = { known: known.get(id) ?? nothingKnown, resolve, ids: fileIds(taken, ctx.services), pause };
    rows.push(await assemble(settings, { resourceServerId: id, ...around }));
  }
  await insertRows(tx, rows);
}

const nothingKnown: KnownNames = { scopes: new Map(), resources: new Map(), policies: new Map() };

/** The objects of resource servers by name, by the IDs of the servers. */
async function knownNames(tx: Db, ids: string[]): Promise<ReadonlyMap<string, KnownNames>> {
  const servers = await tx.resourceServer.findMany({
    where: { id: { in: ids } },
    select: {
      id: true,
      scopes: { select: { id: true, name: true } },
      resources: { select: { id: true, name: true, ownerId: true } },
      policies: { select: { id: true, name: true } },
    },
  });
  const byName = (rows: readonly { id: string; name: string }[]) => new Map(rows.map(({ id, name }) => [name, id]));
  return new Map(
    servers.map(({ id, scopes, resources, policies }) => [
      id,
      {
        scopes: byName(scopes),
        resources: new Map(resources.map((resource) => [`${resource.ownerId} ${resource.name}`, resource.id])),
        policies: byName(policies),
      },
    ]),
  );
}
