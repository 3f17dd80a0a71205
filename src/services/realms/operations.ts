import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { clientSearchText } from '../clients/search.js';
import { permissionFor } from '../core/allow.js';
import type { Context } from '../core/context.js';
import { requireWhole } from '../core/entitlement.js';
import { ownMember } from '../core/json.js';
import { mask } from '../core/mask.js';
import { read, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import { type RealmRecord, realmSelect, refreshRealm } from '../core/realm.js';
import { conflict, invalid, notFound } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { realmBindings, requireBindable, requireClientFlow } from '../login/bindable.js';
import { smtpOf } from '../mail/settings.js';
import { storageMapper } from '../user-storage/config.js';
import { noteGrantable } from '../user-storage/grantable.js';
import { touchesWebhooks } from '../webhooks/worker.js';
import { checkedName } from './assemble/realm.js';
import { bindingNames } from './assemble/settings.js';
import { adminClientId } from './defaults/clients.js';
import { masterName } from './defaults/master.js';
import { removeRealm, removeRest, removeRests } from './deletion.js';
import { defaultRoleSelect, encodeRealm, wholeRealmSelect } from './encode.js';
import { prepareRealm } from './import/prepare.js';
import { realmByName } from './locate.js';
import { requireOpenMaster } from './open-master.js';
import { clientsWithRealmInPath, renamedAddresses } from './rename.js';
import { type RealmInput, RealmRepresentation } from './representation.js';
import { grantToCreator, insertRealm, isRemoved } from './store.js';
import { applyRealmUpdate, emptySettings } from './update.js';

export type WholeRealm = ReturnType<typeof encodeRealm> | { realm: string };

/** The server as a whole: creating realms is a permission in the master realm. */
export const masterTarget = async (ctx: Context): Promise<Target> => ({ realm: await realmByName(ctx, masterName) });

/** A realm as a target. */
export const realmTarget = (realm: RealmRecord): Target => ({ realm });

async function wholeRealm(db: Db, id: string) {
  const realm = await db.realm.findUnique({ where: { id }, select: wholeRealmSelect });
  if (!realm) throw notFound('Realm not found.');
  const { defaultRoleId } = realm;
  const role = defaultRoleId
    ? await db.role.findUnique({ where: { id: defaultRoleId }, select: defaultRoleSelect })
    : null;
  return { representation: encodeRealm(realm, role), version: realm.version };
}

export const settings = read({
  name: 'realm.settings',
  summary: 'Returns the settings of a realm.',
  allow: 'view:realm',
  run: (ctx, { realm }: Target) => wholeRealm(ctx.db, realm.id),
});

export const name = read({
  name: 'realm.name',
  summary: 'Returns the name of a realm.',
  allow: 'any:admin',
  run: async (_ctx, { realm }: Target) => realm.name,
});

export const get = read({
  name: 'realm.get',
  summary: 'Returns the settings of a realm, or only its name if the caller may not view them.',
  allow: 'query:realm',
  run: async (ctx, { realm }: Target, _input, permit): Promise<{ representation: WholeRealm; version?: number }> =>
    permit.can(permissionFor(settings)) ? wholeRealm(ctx.db, realm.id) : { representation: { realm: realm.name } },
});

/** A created realm, with the parts that need work afterwards: very many users, webhooks. */
interface CreatedRealm {
  id: string;
  name: string;
  isLarge?: true;
  hasWebhooks: boolean;
}

export const create = write({
  name: 'realm.create',
  summary: 'Creates a realm with the contents of the representation. Omitted settings get the defaults of a new realm.',
  input: RealmRepresentation,
  anyVersion: true,
  hasLongLists: true,
  allow: 'create:realm',
  prepare: async (ctx, _target: Target, input, asked) => {
    // the IDs of an export may be IDs of a realm that is being removed; a shared transaction must not wait for others
    if (input.id !== undefined && !ctx.unit) await removeRests(ctx.services);
    return prepareRealm(ctx, input, asked?.aside);
  },
  release: async ({ users }) => users?.close(),
  run: async (tx, _target, _input, { ctx, prepared: { rows, users } }): Promise<CreatedRealm> => {
    await insertRealm(tx, rows, users);
    const [realm] = rows.Realm;
    if (!realm) throw new Error('The new realm has no row');
    await grantToCreator(tx, ctx.caller, realm);
    if (rows.Component.some(({ providerType }) => providerType === storageMapper)) await noteGrantable(tx, realm.id);
    return { id: realm.id, name: realm.name, ...(users && { isLarge: true }), hasWebhooks: rows.Webhook.length > 0 };
  },
  // until then, statements are planned for tables as small as they were
  effect: async ({ services }, { isLarge }) => (isLarge ? services.database.optimize() : undefined),
  refuses: ['NAME_TAKEN', 'NAME_INVALID', 'REPEATED', 'CYCLE'],
  conflict: () => 'Conflict detected. See logs for details',
  event: ({ id, name }, _target, { realm, enabled, displayName }) => ({
    operationType: 'CREATE',
    resourceType: 'REALM',
    resourcePath: name,
    resourceId: id,
    representation: { realm, enabled, displayName },
  }),
  touches: ({ id, hasWebhooks }) => [`realm:${id}`, 'realms', ...(hasWebhooks ? [touchesWebhooks(id)] : [])],
});

async function flowAliases(tx: Db, realmId: string, input: RealmInput): Promise<ReadonlySet<string>> {
  if (!bindingNames.some((name) => input[name] !== undefined)) return new Set();
  const flows = await tx.authenticationFlow.findMany({ where: { realmId }, select: { alias: true } });
  return new Set(flows.map(({ alias }) => alias));
}

/**
 * Whether the settings of the mail server change. They decide who can read the links for new passwords, including those
 * for administrators. A setting that is left out is cleared.
 */
function isOtherMailServer({ settings }: Target['realm'], sent: object): boolean {
  const known = (settings.smtpServer ?? {}) as Readonly<Record<string, unknown>>;
  const next: Readonly<Record<string, unknown>> = { ...sent };
  return Object.keys({ ...known, ...next }).some(
    (name) => ownMember(next, name) !== mask && (ownMember(next, name) ?? '') !== (ownMember(known, name) ?? ''),
  );
}

/** The settings of a realm as its audit records show them. */
const snapshot = ({ realm }: Target) => ({
  ...realm.settings,
  realm: realm.name,
  enabled: realm.enabled,
  displayName: realm.displayName ?? undefined,
  attributes: realm.attributes,
  smtpServer: { ...smtpOf(realm), ...(realm.smtpPassword !== null && { password: mask }) },
});

/** The part of a realm that an update contains. It merges the security headers by their names. */
function partOf(known: Readonly<Record<string, unknown>>, given: object) {
  const before = Object.fromEntries(Object.keys(given).map((name) => [name, ownMember(known, name)]));
  const { browserSecurityHeaders: headers } = given as RealmInput;
  if (!headers) return before;
  const present = new Map(Object.entries((known.browserSecurityHeaders ?? {}) as object));
  const merged = Object.fromEntries(Object.keys(headers).map((name) => [name, present.get(name)]));
  return { ...before, browserSecurityHeaders: merged };
}

export const update = write({
  name: 'realm.update',
  summary: 'Changes the given settings of a realm, and its name. Nested resources are ignored.',
  input: RealmRepresentation,
  allow: 'manage:realm',
  check: (permit, target: Target, { smtpServer }) => {
    if (smtpServer && isOtherMailServer(target.realm, smtpServer)) requireWhole(target, permit);
  },
  keepsAdministration: requireOpenMaster,
  lock: ({ realm }: Target) => ({ model: 'Realm', id: realm.id }),
  refresh: refreshRealm,
  run: async (tx, { realm }, input, { ctx }): Promise<{ id: string; name: string }> => {
    const changes = applyRealmUpdate(realm, input, {
      seal: ctx.services.sealer.seal,
      flowAliases: await flowAliases(tx, realm.id, input),
      asReference: false,
    });
    await requireBindable(tx, realm.id, realmBindings(realm.settings, changes.settings ?? {}));
    await requireClientFlow(tx, realm.id, realm.settings, changes.settings ?? {});
    if (changes.name !== undefined) await rename(tx, realm, changes.name);
    await tx.realm.updateMany({
      where: { id: realm.id },
      data: { ...changes, version: { increment: 1 } } as Prisma.RealmUpdateManyMutationInput,
    });
    return { id: realm.id, name: changes.name ?? realm.name };
  },
  refuses: ['NAME_TAKEN', 'NAME_INVALID', 'ADMINISTRATION', 'EMAIL_INVALID', 'SECRET_REQUIRED'],
  // also if the realm's client in master would get a name that is taken
  conflict: () => conflict('Realm with same name exists', 'realm', 'NAME_TAKEN'),
  event: (_realm, target, input) => {
    const representation = withoutSecrets(input);
    return {
      operationType: 'UPDATE',
      resourceType: 'REALM',
      // as recorded, an update of the realm has no path
      resourcePath: '',
      representation,
      before: partOf(snapshot(target), representation),
    };
  },
  touches: ({ id }) => [`realm:${id}`],
});

export const patch = patchOf(update, {
  current: ({ realm }) => ({
    attributes: realm.attributes,
    smtpServer: { ...smtpOf(realm), ...(realm.smtpPassword !== null && { password: mask }) },
    browserSecurityHeaders: realm.settings.browserSecurityHeaders,
  }),
  snapshot,
  empty: emptySettings,
  keepsRest: true,
  mergedMaps: { browserSecurityHeaders: '' },
});

/** The settings of an update in the audit record. */
function withoutSecrets({
  users: _users,
  clients: _clients,
  components: _components,
  identityProviders: _providers,
  webhooks: _webhooks,
  authenticatorConfig: _configs,
  ...input
}: RealmInput) {
  const { smtpServer } = input;
  if (!smtpServer?.password) return input;
  return { ...input, smtpServer: { ...smtpServer, password: mask } };
}

/** Renames the realm's client in master, and the URLs of the built-in clients. */
async function rename(tx: Db, realm: RealmRecord, name: string): Promise<void> {
  if (realm.name === masterName)
    throw invalid('The master realm cannot be renamed', 'realm', { code: 'ADMINISTRATION' });
  checkedName(name);
  if (realm.adminClientId) {
    await tx.client.updateMany({
      where: { id: realm.adminClientId },
      // its display name stays, as on the reference server
      data: { clientId: adminClientId(name), search: clientSearchText(adminClientId(name), `${realm.name} Realm`) },
    });
  }
  const clients = await tx.client.findMany({
    where: { realmId: realm.id, clientId: { in: [...clientsWithRealmInPath] } },
    select: { id: true, clientId: true, baseUrl: true, redirectUris: true },
  });
  // at most three built-in clients
  for (const client of clients) {
    await tx.client.updateMany({ where: { id: client.id }, data: renamedAddresses(client, realm.name, name) });
  }
}

export const remove = write({
  name: 'realm.delete',
  summary: 'Deletes a realm with all its contents.',
  allow: 'manage:realm',
  lock: ({ realm }: Target) => ({ model: 'Realm', id: realm.id }),
  run: async (tx, { realm }, _input, { ctx }): Promise<{ id: string; name: string }> => {
    if (realm.name === masterName)
      throw invalid('The master realm cannot be deleted', undefined, { code: 'ADMINISTRATION' });
    // read again behind the lock, because it may have been renamed or deleted by another request
    const row = (await tx.realm.findUnique({ where: { id: realm.id }, select: realmSelect })) as RealmRecord | null;
    if (!row || isRemoved(row)) throw notFound('Realm not found.');
    await removeRealm(tx, row, ctx.services.newId);
    return { id: realm.id, name: row.name };
  },
  // the rest of the realm is invisible, so callers need not wait for its removal
  effect: async ({ services }, { id }) => void removeRest(services, id),
  refuses: ['ADMINISTRATION'],
  event: ({ id, name }) => ({ operationType: 'DELETE', resourceType: 'REALM', resourcePath: name, resourceId: id }),
  touches: ({ id }) => [`realm:${id}`, 'realms', `keys:${id}`],
});
