import type { Db } from '../../../database/db.js';
import { sharedBreaks } from '../../../database/turns.js';
import { openedSettings } from '../../authentication/provider-settings.js';
import { openedAttributes, openedSecret } from '../../clients/secrets.js';
import { begun } from '../../core/begun.js';
import type { Context } from '../../core/context.js';
import { requireWhole } from '../../core/entitlement.js';
import { read, write } from '../../core/operation.js';
import { performWrite } from '../../core/perform.js';
import type { Permit } from '../../core/ports.js';
import { openedEntries, type Sealer } from '../../core/seal.js';
import { placeOfSecrets, placeOfSmtpPassword } from '../../core/sealed-columns.js';
import { flag, type Input, representation } from '../../core/shape.js';
import type { Target } from '../../core/target.js';
import { encodeIdentityProvider, identityProviderSelect } from '../../identity-providers/encode.js';
import { encodeWebhook, secretPlace, webhookSelect } from '../../webhooks/representation.js';
import { onceSent } from '../assemble/settings.js';
import { distinctNames, namedById } from './config-names.js';
import { namesIn } from './names.js';
import { exportedRealm } from './partial.js';
import { exportedUsers } from './users.js';

/** The parts of a whole export: its users, and its secrets (of clients, keys, users, and others) in plain text. */
const WholeExportOptions = representation('WholeExportOptions', { users: flag, secrets: flag });

type Options = Input<typeof WholeExportOptions>;
type Exported = Awaited<ReturnType<typeof exportedRealm>>;
type Config = Record<string, string[]>;

interface ExportedComponent {
  id: string;
  config: Config;
  subComponents: Record<string, ExportedComponent[]>;
}

/** Puts the secrets of components in the place of their masks. */
function openComponents(tree: Record<string, ExportedComponent[]>, secrets: ReadonlyMap<string, Config>): void {
  for (const component of Object.values(tree).flat()) {
    component.config = { ...component.config, ...secrets.get(component.id) };
    openComponents(component.subComponents, secrets);
  }
}

/** An export with its secrets in place of masks. */
async function withSecrets(
  db: Db,
  sealer: Sealer,
  realmId: string,
  exported: Omit<Exported, 'users'>,
): Promise<object> {
  const [realm, clients, components, providers, configs] = await Promise.all([
    db.realm.findUniqueOrThrow({ where: { id: realmId }, select: { id: true, smtpPassword: true } }),
    db.client.findMany({
      where: { realmId },
      select: { id: true, realmId: true, clientId: true, secret: true, attributes: true },
    }),
    db.component.findMany({
      where: { realmId, secrets: { not: null } },
      select: { id: true, realmId: true, secrets: true },
    }),
    db.identityProvider.findMany({ where: { realmId }, select: identityProviderSelect, orderBy: { alias: 'asc' } }),
    db.authenticatorConfig.findMany({ where: { realmId }, select: { id: true, config: true } }),
  ]);
  const byId = new Map(
    components.map((row) => [row.id, openedEntries<string[]>(row.secrets, placeOfSecrets('Component', row), sealer)]),
  );
  openComponents(exported.components as Record<string, ExportedComponent[]>, byId);
  const configById = new Map(
    configs.map(({ id, config }) => [id, openedSettings({ id, realmId }, config as Record<string, string>, sealer)]),
  );
  const byClientId = new Map(clients.map((client) => [client.clientId, client]));
  return {
    ...exported,
    smtpServer: {
      ...exported.smtpServer,
      ...(realm.smtpPassword !== null && { password: sealer.open(realm.smtpPassword, placeOfSmtpPassword(realm)) }),
    },
    authenticatorConfig: exported.authenticatorConfig.map((given) => ({ ...given, config: configById.get(given.id) })),
    identityProviders: providers.map((provider) => encodeIdentityProvider(provider, sealer.open)),
    clients: exported.clients?.map((client) => {
      const row = byClientId.get(client.clientId);
      if (!row) return client;
      return {
        ...client,
        attributes: openedAttributes(row, sealer),
        ...(row.secret !== null && { secret: openedSecret(row, sealer) }),
      };
    }),
  };
}

/** The custom texts of a realm by locale and key. */
async function textsOf(db: Db, realmId: string) {
  const rows = await db.localizationText.findMany({
    where: { realmId },
    select: { locale: true, key: true, value: true },
  });
  if (rows.length === 0) return {};
  const texts = new Map<string, [string, string][]>();
  for (const { locale, key, value } of rows) {
    const own = texts.get(locale);
    if (own) own.push([key, value]);
    else texts.set(locale, [[key, value]]);
  }
  const localizationTexts = Object.fromEntries([...texts].map(([locale, own]) => [locale, Object.fromEntries(own)]));
  return { localizationTexts };
}

/**
 * The webhooks of the realm. The field is left out without webhooks, so that servers that do not support it accept the
 * file.
 */
async function webhooksOf(db: Db, realmId: string, open: Sealer['open'] | undefined) {
  const rows = await db.webhook.findMany({ where: { realmId }, select: webhookSelect, orderBy: { name: 'asc' } });
  if (rows.length === 0) return {};
  return {
    webhooks: rows.map((row) => ({
      ...encodeWebhook(row),
      ...(open && { secret: open(row.secret, secretPlace(row)) }),
    })),
  };
}

const everything = { clients: true, groupsAndRoles: true };

/**
 * The realm as RealmRepresentation without its users, with its secrets in clear, its texts, and its webhooks. Flows
 * name the configurations of their steps by IDs. `names` has the names to use in its users.
 */
export async function realmWithSecrets(db: Db, sealer: Sealer, realmId: string) {
  const { users: _accounts, ...exported } = await exportedRealm(db, realmId, everything, namedById);
  const realm = {
    ...(await withSecrets(db, sealer, realmId, withoutMirrored(exported))),
    ...(await textsOf(db, realmId)),
    ...(await webhooksOf(db, realmId, sealer.open)),
  };
  return { realm, names: namesIn(exported) };
}

/** Leaves out settings for which an import would create attributes that the realm does not have. */
function withoutMirrored<E extends Omit<Exported, 'users'>>(exported: E): E {
  for (const name of onceSent) {
    if (exported[name] === 0 && exported.attributes[name] === undefined) delete exported[name];
  }
  return exported;
}

/**
 * A whole realm as the JSON text of a RealmRepresentation in pieces, so that memory never holds all users. Each piece
 * is read when it is needed, so concurrent writes may or may not be included.
 */
export async function* wholeRealm(
  db: Db,
  sealer: Sealer,
  realmId: string,
  { users = true, secrets = false }: Options,
): AsyncGenerator<string> {
  const { users: _accounts, ...whole } = await exportedRealm(db, realmId, everything, distinctNames);
  const exported = withoutMirrored(whole);
  const pause = sharedBreaks();
  await pause();
  const realm = secrets ? await withSecrets(db, sealer, realmId, exported) : exported;
  const open = secrets ? sealer.open : undefined;
  const text = JSON.stringify({ ...realm, ...(await textsOf(db, realmId)), ...(await webhooksOf(db, realmId, open)) });
  await pause();
  if (!users) return yield text;
  yield `${text.slice(0, -1)},"users":[`;
  const names = namesIn(exported);
  let separator = '';
  for await (const some of exportedUsers(db, realmId, { open, names })) {
    yield separator + some.map((user) => JSON.stringify(user)).join(',');
    separator = ',';
  }
  yield ']}';
}

/** Leaves a record that secrets were read. */
const noteExport = write({
  name: 'realm.exportSecrets',
  summary: 'Records that the secrets of a realm were exported.',
  allow: 'manage:realm',
  run: async (_tx, _target: Target) => undefined,
  event: () => ({ operationType: 'ACTION', resourceType: 'REALM', resourcePath: 'export' }),
  touches: () => [],
});

/** Requires the permissions to view everything that a whole export contains. */
export function requireViewable(permit: Permit, { users }: { users: boolean }): void {
  permit.require('view:groups');
  permit.require('view:clients');
  permit.require('view:identity-providers');
  permit.require('view:events');
  // policies of clients
  permit.require('view:authorization');
  if (users) permit.require('view:users');
}

export const wholeExport = read({
  name: 'realm.exportWhole',
  summary:
    'Exports a whole realm with its users as a file that can be imported. Secrets are included only for administrators with all permissions of the realm.',
  input: WholeExportOptions,
  allow: 'view:realm',
  check: (permit, target: Target, { users = true, secrets }) => {
    requireViewable(permit, { users });
    // the keys of the realm can sign tokens for all of its users
    if (secrets) requireWhole(target, permit);
  },
  run: async (ctx: Context, target, options): Promise<AsyncIterable<string>> => {
    if (options.secrets) await performWrite(ctx, noteExport, async () => target);
    return begun(wholeRealm(ctx.db, ctx.services.sealer, target.realm.id, options));
  },
});
