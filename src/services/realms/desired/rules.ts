import type { Db, ModelName } from '../../../database/db.js';
import { atPlace } from '../../core/batch.js';
import type { RealmRecord } from '../../core/realm.js';
import { invalid, type Refusal, refuseAll } from '../../core/refusal.js';
import { breachFaults, findPolicyBreach } from '../../credentials/policy.js';
import { isProtected } from '../../users/protected-attributes.js';
import { plainValue } from '../assemble/credentials.js';
import type { RealmRows } from '../assemble/draft.js';
import { type Delta, entriesIn, type Row } from './delta.js';
import { type Json, listOf } from './kinds.js';
import { text } from './objects.js';
import { type PlaceOf, placesIn } from './places.js';
import { brokenRules, type Checked, checkedIn } from './single-rules.js';

/** The owner of a row that is a part of an object, if the file has it at the place of the object. */
const ownerOf = (model: ModelName, row: Row): [ModelName, Row] =>
  model === 'ProtocolMapper' && row.clientId ? ['Client', { id: row.clientId }] : [model, row];

const kindOfComponent = ['providerType', 'providerId'];

/**
 * Refusals of components that change their kind, or that get another parent while they hold secrets. By its ID, a file
 * could otherwise combine the secrets of another object with different settings.
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

/** Refusals of attributes that only user storages set, for users outside of a storage and for existing users. */
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

/**
 * Refusals of plain passwords that break the policy of the realm. Passwords of users who already have one are not set,
 * so they are not checked.
 */
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
 * Refuses changes that the operations on single objects refuse, so that a file cannot bypass their rules. Only objects
 * that the plan creates or changes are checked: imports are more lenient, and a realm can have objects that older
 * versions accepted. Names every place in the file.
 */
export async function requireRules(
  db: Db,
  realm: RealmRecord,
  { given, desired, after, delta }: { given: Json; desired: Json; after: RealmRows; delta: Delta },
): Promise<void> {
  const around = checkedIn(db, realm, { after, delta });
  const placeOf = placesIn(given);
  const broken = await brokenRules(around);
  refuseAll([
    ...broken.map(({ model, row, refusal }) => atPlace(refusal, placeOf(...ownerOf(model, row)))),
    ...movedComponents(around, placeOf),
    ...protectedAttributes(around, placeOf),
    ...(await weakPasswords(realm, desired, placeOf)),
  ]);
}
