import type { Db, ModelName } from '../../../database/db.js';
import { checkKind } from '../../clients/operations.js';
import { checkClient } from '../../clients/validation.js';
import { checked } from '../../components/checks.js';
import { isProvider } from '../../components/providers.js';
import { isObject, members } from '../../core/json.js';
import { listsByKey } from '../../core/lists-by-key.js';
import { isMaskedSetting } from '../../core/mask.js';
import type { RealmRecord } from '../../core/realm.js';
import { invalid, Refusal } from '../../core/refusal.js';
import { checkAddresses, knownProvider, usableAlias } from '../../identity-providers/settings.js';
import { type Config, storageMapper } from '../../user-storage/config.js';
import { isTooLong } from '../../users/names.js';
import type { RealmRows } from '../assemble/draft.js';
import { serviceAccountName } from '../defaults/clients.js';
import { requireSignatureAlgorithm } from '../update.js';
import type { BrokenRule } from './broken-rule.js';
import { type Delta, entriesIn, type Row, rowsWritten } from './delta.js';
import { text } from './objects.js';
import { takenNames } from './taken-names.js';

/** The context of the rules. */
export interface Checked {
  db: Db;
  /** the realm with its desired settings */
  realm: RealmRecord;
  after: RealmRows;
  delta: Delta;
  /** the mappers of each client by its ID */
  mappers: ReadonlyMap<unknown, RealmRows['ProtocolMapper']>;
}

/**
 * A check of a row by the operation on a single object. It runs for created rows, and if one of these columns changes.
 */
interface Rule {
  model: ModelName;
  columns: readonly string[];
  check: (row: Row, around: Checked) => unknown;
}

/** The settings of a component or an identity provider, with its secrets. */
export function wholeConfig({ config, secrets }: Row): Config {
  const open = Object.entries(members(config)).filter(([, value]) => !isMaskedSetting(value));
  return { ...Object.fromEntries(open), ...entriesIn(secrets) } as Config;
}

/** Refuses texts that are too long for their columns. */
const requireShort = (row: Row, columns: readonly string[]): void => {
  const long = columns.find((name) => isTooLong(row[name] as string | null));
  if (long) throw invalid(`\`${long}\` must be at most 255 characters`, long);
};

const namesOfUsers = ['username', 'email', 'firstName', 'lastName'];
const namesOfComponents = ['name', 'subType'];

const rules: readonly Rule[] = [
  {
    model: 'Realm',
    columns: ['settings'],
    check: ({ settings }) => requireSignatureAlgorithm(settings as never),
  },
  {
    model: 'Role',
    columns: ['name'],
    check: ({ name }) => {
      if (text(name) === '') throw invalid('`name` is required for every role', 'name');
    },
  },
  {
    model: 'Client',
    columns: ['protocol'],
    check: ({ protocol }) => checkKind({ protocol: (protocol as string | null) ?? undefined }),
  },
  {
    model: 'Client',
    columns: ['rootUrl', 'baseUrl', 'redirectUris', 'attributes'],
    check: (row, { mappers }) => checkClient({ ...row, protocolMappers: mappers.get(row.id) ?? [] } as never),
  },
  {
    model: 'IdentityProvider',
    columns: ['alias'],
    check: ({ alias }) => void usableAlias(text(alias)),
  },
  {
    model: 'IdentityProvider',
    columns: ['providerId'],
    check: ({ providerId }) => void knownProvider(text(providerId)),
  },
  {
    model: 'IdentityProvider',
    columns: ['config'],
    check: ({ config }, { realm }) => checkAddresses(realm, members(config) as Record<string, string>),
  },
  {
    model: 'IdentityProviderMapper',
    columns: ['name', 'identityProviderMapper'],
    check: (row) => {
      const missing = ['name', 'identityProviderMapper'].find((name) => text(row[name]) === '');
      if (missing) throw invalid(`\`${missing}\` of the mapper is required`, missing);
    },
  },
  {
    // a provider of another version is kept without effect; mappers of storages may name objects in the same file
    model: 'Component',
    columns: ['config'],
    check: async (row, { db, realm }) => {
      const component = { providerType: text(row.providerType), providerId: text(row.providerId), parentId: '' };
      if (component.providerType === storageMapper || !isProvider(component.providerType, component.providerId)) return;
      await checked(db, realm, { ...component, config: wholeConfig(row) });
    },
  },
  {
    model: 'User',
    columns: namesOfUsers,
    // the username of a service account is longer than the client ID that it follows from
    check: (row) => {
      const own = row.serviceAccountClientId ? text(row.username).replace(serviceAccountName(''), '') : row.username;
      requireShort({ ...row, username: own }, namesOfUsers);
    },
  },
  {
    model: 'Component',
    columns: namesOfComponents,
    check: (row) => requireShort(row, namesOfComponents),
  },
];

async function refusalOf(check: () => unknown): Promise<Refusal | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The result of a plan. */
export type Outcome = Pick<Checked, 'after' | 'delta'>;

/** The context in which a plan is checked. */
export function checkedIn(db: Db, realm: RealmRecord, { after, delta }: Outcome): Checked {
  const [{ settings } = { settings: {} }] = after.Realm;
  return {
    ...{ db, after, delta, mappers: listsByKey(after.ProtocolMapper.map((mapper) => [mapper.clientId, mapper])) },
    realm: { ...realm, settings: isObject(settings) ? settings : {} },
  };
}

/** The rules that the created or changed rows of a plan break. */
export async function brokenRules(around: Checked): Promise<BrokenRule[]> {
  const broken: BrokenRule[] = [];
  for (const { model, columns, check } of rules) {
    for (const row of rowsWritten(around.delta, model, columns)) {
      const refusal = await refusalOf(() => check(row, around));
      if (refusal)
        broken.push({ model, row, refusal, columns, breaks: (other) => isBroken(() => check(other, around)) });
    }
  }
  return [...broken, ...(await takenNames(around.db, around.realm.id, around))];
}

const isBroken = async (check: () => unknown): Promise<boolean> => (await refusalOf(check)) !== undefined;
