import { textsOf } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { invalid, type Refusal } from '../core/refusal.js';
import { isKnownAction } from './create.js';
import { namesOf } from './names.js';
import type { UserInput } from './representation.js';
import { storedUsername } from './usernames.js';

/** Refusals of those of the required actions that neither the server provides nor the user has, each at its place in the field. */
export const unknownActions = (
  actions: readonly string[],
  field = 'requiredActions',
  present: readonly string[] = [],
): Refusal[] =>
  actions.flatMap((action, at) =>
    isKnownAction(action) || present.includes(action)
      ? []
      : invalid(`The server has no required action "${action}"`, `${field}.${at}`, { code: 'UNKNOWN_REQUIRED_ACTION' }),
  );

interface Present {
  username: string;
  requiredActions?: unknown;
}

/** Refusals of what a replacing update of a user would leave out without a word, as the contract has it. */
export function ignoredChanges(realm: RealmRecord, present: Present, input: UserInput): Refusal[] {
  const wanted = input.username === undefined ? present.username : storedUsername(input.username);
  const stays = wanted !== present.username && namesOf(realm, input).username !== wanted;
  return [
    ...(stays ? [invalid('The realm does not allow this username', 'username', { code: 'READ_ONLY' })] : []),
    ...unknownActions(input.requiredActions ?? [], 'requiredActions', textsOf(present.requiredActions)),
  ];
}
