import { randomInt } from 'node:crypto';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { invalid } from '../../core/refusal.js';
import type { RoleRow } from '../../roles/row.js';
import { masterId, masterName } from '../defaults/master.js';
import { modernRealm, modernUser } from '../import/older-versions.js';
import type { RealmInput } from '../representation.js';
import { assembleAdministration } from './administration.js';
import { assembleAuthorization } from './authorization.js';
import { assembleClientScopes } from './client-scopes.js';
import { assembleAdminClient, assembleClients } from './clients.js';
import { type AssemblyContext, type Draft, idsOf, newDraft, type RealmRows } from './draft.js';
import { assembleFlows, assembleRequiredActions } from './flows.js';
import { assembleGroups } from './groups.js';
import { assembleComponents, assembleIdentityProviders } from './providers.js';
import { assembleMasterRoles, assembleRoles } from './roles.js';
import { assembleScopeMappings } from './scope-mappings.js';
import { settingColumns } from './settings.js';
import { addServiceAccounts, addUsers } from './users.js';
import { assembleWebhooks } from './webhooks.js';

/** Sections without a table; they are stored as a whole. */
const keptWhole = ['federatedUsers', 'protocolMappers'] as const satisfies (keyof RealmInput)[];

/**
 * The rows of a new realm: the input, completed as by the reference server. Refuses an input with duplicate names, or
 * with an unknown name where the reference server refuses it, too.
 */
export async function assembleRealm(input: RealmInput, context: AssemblyContext): Promise<RealmRows> {
  const begun = await beginRealm(input, context);
  await addUsers(begun.draft, (input.users ?? []).map(modernUser));
  return finishRealm(begun);
}

/** A realm without its users and the objects that may refer to them. */
export interface RealmWithoutUsers {
  draft: Draft;
  /** the role that every new user gets */
  everyone: RoleRow;
  adminClientId: string | null;
}

/** Assembles a realm up to its users. Throws the errors of `assembleRealm`. */
export async function beginRealm(input: RealmInput, context: AssemblyContext): Promise<RealmWithoutUsers> {
  const realm = checkedName(input.realm);
  const isMaster = realm === masterName;
  const ids = idsOf(context);
  // only the master realm is created without another master realm
  const realmId = context.master ? ids.of('Realm', input.id) : masterId;
  const draft = newDraft({ ...modernRealm(input), realm }, context, { realmId, isMaster, ids });

  assembleFlows(draft);
  assembleRequiredActions(draft);
  assembleComponents(draft);
  await assembleIdentityProviders(draft);
  await assembleClientScopes(draft);
  const builtInClients = await assembleClients(draft);
  const everyone = await assembleRoles(draft, builtInClients);
  const master = isMaster ? { realmId, adminRoleId: assembleMasterRoles(draft).id } : context.master;
  const adminClient = master && assembleAdminClient(draft, master);
  await assembleScopeMappings(
    draft,
    builtInClients.map(({ client }) => client),
  );
  await assembleGroups(draft);
  draft.refusals.throwAll();
  return { draft, everyone, adminClientId: adminClient?.id ?? null };
}

/** The rows of a realm after its users were added. Throws the errors of `assembleRealm`. */
export async function finishRealm({ draft, everyone, adminClientId }: RealmWithoutUsers): Promise<RealmRows> {
  const { input, realmId } = draft;
  await addServiceAccounts(draft, everyone);
  assembleAdministration(draft, adminClientId);
  await assembleAuthorization(draft);
  assembleLocalization(draft);
  assembleWebhooks(draft);

  draft.rows.Realm.push({
    id: realmId,
    name: input.realm,
    enabled: input.enabled ?? false,
    displayName: input.displayName ?? null,
    ...settingColumns(draft),
    parts: parts(input),
    defaultRoleId: everyone.id,
    adminClientId,
  });
  draft.refusals.throwAll();
  return draft.rows;
}

/** The name of a realm is part of addresses; the reference server refuses these characters in names. */
const reserved = /[:/?#[\]@!$&'()*+,;=%\\]/;

/** The name of a realm. Throws `invalid` if it is not allowed. */
export function checkedName(name: string | undefined): string {
  if (name === undefined || name.trim() === '') throw invalid('`realm` is required', 'realm', { code: 'NAME_INVALID' });
  const found = reserved.exec(name);
  if (found) throw invalid(`Character '${found[0]}' not allowed.`, 'realm', { code: 'NAME_INVALID' });
  return name;
}

/** The sections of the input that are stored as a whole, because no table has them. */
export function parts(input: RealmInput): Prisma.InputJsonObject {
  const kept: Record<string, unknown> = {};
  for (const section of keptWhole) if (input[section]?.length) kept[section] = input[section];
  return kept as Prisma.InputJsonObject;
}

/** The texts of a realm. */
export function assembleLocalization(draft: Draft): void {
  for (const [locale, texts] of Object.entries(draft.input.localizationTexts ?? {})) {
    for (const [key, value] of Object.entries(texts)) {
      draft.rows.LocalizationText.push({ realmId: draft.realmId, locale, key, value });
    }
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A random client secret of 32 letters and digits (190 bits). */
export const newClientSecret = (): string =>
  Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
