import type { Db, ModelName } from '../../../database/db.js';
import { requireNoReserved } from '../../authentication/flows.js';
import { checkKind } from '../../clients/operations.js';
import { checkClient } from '../../clients/validation.js';
import { checked } from '../../components/checks.js';
import { isProvider } from '../../components/providers.js';
import { atPlace } from '../../core/batch.js';
import { isObject, members } from '../../core/json.js';
import { isMaskedSetting } from '../../core/mask.js';
import type { RealmRecord } from '../../core/realm.js';
import { invalid, Refusal, refuseAll } from '../../core/refusal.js';
import { breachFaults, findPolicyBreach } from '../../credentials/policy.js';
import { checkAddresses, knownProvider, usableAlias } from '../../identity-providers/settings.js';
import { type Config, storageMapper } from '../../user-storage/config.js';
import { isTooLong } from '../../users/names.js';
import { isProtected } from '../../users/protected-attributes.js';
import { plainValue } from '../assemble/credentials.js';
import type { RealmRows } from '../assemble/draft.js';
import { requireSignatureAlgorithm } from '../update.js';
import { type Delta, entriesIn, type Row, rowsWritten } from './delta.js';
import { type Json, listOf } from './kinds.js';
import { text } from './objects.js';
import { type PlaceOf, placesIn } from './places.js';
import { takenNames } from './taken-names.js';

/** What a plan is checked in. */
interface Checked {
  db: Db;
  /** the realm with the settings that it is to have */
  realm: RealmRecord;
  after: RealmRows;
  delta: Delta;
  /** the mappers of each client by its id */
  mappers: ReadonlyMap<unknown, RealmRows['ProtocolMapper']>;
}

/** What an operation on a single object refuses of its row. It is asked where the row is created, or one of these columns changes. */
interface Rule {
  model: ModelName;
  columns: readonly string[];
  check: (row: Row, around: Checked) => unknown;
}

function mappersByClient({ ProtocolMapper }: RealmRows): Checked['mappers'] {
  const found = new Map<unknown, RealmRows['ProtocolMapper']>();
  for (const mapper of ProtocolMapper) {
    const list = found.get(mapper.clientId);
    if (list) list.push(mapper);
    else found.set(mapper.clientId, [mapper]);
  }
  return found;
}

/** The settings of a component, with its secrets. */
function wholeConfig({ config, secrets }: Row): Config {
  const open = Object.entries(members(config)).filter(([, value]) => !isMaskedSetting(value));
  return { ...Object.fromEntries(open), ...entriesIn(secrets) } as Config;
}

/** Refuses texts that are longer than their columns are for. */
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
    model: 'ProtocolMapper',
    columns: ['name'],
    check: ({ name }) => {
      if (text(name) === '') throw invalid('`name` of the protocol mapper is required', 'protocolMappers');
    },
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
    // a provider that only other versions have is kept, and has no effect; what mappers of storages name can be in the same file
    model: 'Component',
    columns: ['config'],
    check: async (row, { db, realm }) => {
      const component = { providerType: text(row.providerType), providerId: text(row.providerId), parentId: '' };
      if (component.providerType === storageMapper || !isProvider(component.providerType, component.providerId)) return;
      await checked(db, realm, { ...component, config: wholeConfig(row) });
    },
  },
  {
    model: 'AuthenticationFlow',
    columns: [],
    check: ({ alias, topLevel }) => {
      if (topLevel === true) requireNoReserved(text(alias));
    },
  },
  {
    model: 'User',
    columns: namesOfUsers,
    check: (row) => requireShort(row, namesOfUsers),
  },
  {
    model: 'Component',
    columns: namesOfComponents,
    check: (row) => requireShort(row, namesOfComponents),
  },
];

/** The owner of a row that is a part of an object, where places in the file are those of the object. */
const ownerOf = (model: ModelName, row: Row): [ModelName, Row] =>
  model === 'ProtocolMapper' && row.clientId ? ['Client', { id: row.clientId }] : [model, row];

async function refusalOf(check: () => unknown, place: readonly string[]): Promise<Refusal[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return [atPlace(error, place)];
    throw error;
  }
}

const kindOfComponent = ['providerType', 'providerId'];

/**
 * Refusals of components that become another kind, or get another parent with the secrets that they hold: by its ID, a file could give
 * settings of its own to the secrets of another object.
 */
function movedComponents({ delta }: Checked, placeOf: PlaceOf): Refusal[] {
  return (delta.get('Component')?.updated ?? []).flatMap(({ before, after, columns }) => {
    const kind = kindOfComponent.find((name) => columns.includes(name));
    const isMoved = columns.includes('parentId') && Object.keys(entriesIn(before.secrets)).length > 0;
    const place = placeOf('Component', after);
    if (kind) return [atPlace(invalid(`\`${kind}\` of a component cannot be changed`, kind), place)];
    return isMoved ? [atPlace(invalid('A component that holds secrets cannot get another parent', 'id'), place)] : [];
  });
}

/** Refusals of attributes that only user storages set, for users of no storage and for those who are there already. */
function protectedAttributes({ delta, after }: Checked, placeOf: PlaceOf): Refusal[] {
  const { inserted = [], updated = [] } = delta.get('UserAttribute') ?? {};
  const given = [...inserted, ...updated.map((update) => update.after)].filter(({ name }) => isProtected(text(name)));
  if (given.length === 0) return [];
  const created = new Set((delta.get('User')?.inserted ?? []).map(({ id }) => id));
  const users = new Map<unknown, Row>(after.User.map((user) => [user.id, user as Row]));
  return given.flatMap(({ userId, name }) => {
    const user = users.get(userId);
    if (!user || (created.has(userId) && user.federationLink)) return [];
    const message = `Only user storages set the attribute ${text(name)}`;
    const refusal = invalid(message, undefined, {
      faults: [{ path: ['attributes', text(name)], message, code: 'READ_ONLY' }],
    });
    return [atPlace(refusal, placeOf('User', user))];
  });
}

/** Refusals of passwords in plain text that break the policy of the realm. Those of users who have one are not set. */
async function weakPasswords(realm: RealmRecord, desired: Json, placeOf: PlaceOf): Promise<Refusal[]> {
  const policy = desired.passwordPolicy;
  if (typeof policy !== 'string' || policy === '') return [];
  const refused: Refusal[] = [];
  for (const user of listOf(desired, 'users')) {
    for (const credential of listOf(user, 'credentials')) {
      const password = plainValue(credential);
      if (password === undefined) continue;
      const email = typeof user.email === 'string' ? user.email : null;
      const candidate = { password, line: realm.id, username: text(user.username), email };
      const breach = await findPolicyBreach(policy, candidate);
      if (!breach) continue;
      const message = 'Password policy not met';
      refused.push(
        atPlace(
          invalid(message, 'credentials', { faults: breachFaults(breach, 'credentials') }),
          placeOf('User', user),
        ),
      );
    }
  }
  return refused;
}

/**
 * Refuses what the operations on single objects refuse: a file must not be a way around their rules. Only what the plan creates or changes
 * is checked, as imports are more lenient and a realm can have anything that older versions have let pass. Names every place in the file.
 */
export async function requireRules(
  db: Db,
  realm: RealmRecord,
  { given, desired, after, delta }: { given: Json; desired: Json; after: RealmRows; delta: Delta },
): Promise<void> {
  const [{ settings } = { settings: {} }] = after.Realm;
  const around: Checked = {
    ...{ db, after, delta, mappers: mappersByClient(after) },
    realm: { ...realm, settings: isObject(settings) ? settings : {} },
  };
  const placeOf = placesIn(given);
  const refused: Refusal[] = [];
  for (const rule of rules) {
    for (const row of rowsWritten(delta, rule.model, rule.columns)) {
      const place = placeOf(...ownerOf(rule.model, row));
      refused.push(...(await refusalOf(() => rule.check(row, around), place)));
    }
  }
  refused.push(
    ...movedComponents(around, placeOf),
    ...protectedAttributes(around, placeOf),
    ...(await weakPasswords(realm, desired, placeOf)),
    ...(await takenNames(db, realm.id, around, placeOf)),
  );
  refuseAll(refused);
}
