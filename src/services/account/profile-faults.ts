import { isOn, type RealmRecord } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import type { RefusalCode } from '../core/refusal-codes.js';
import { isOneAddress } from '../mail/address.js';
import { serviceAccountName } from '../realms/defaults/clients.js';
import { storedUsername, usernameFault } from '../users/usernames.js';

/** The fields of a profile, as users send them. */
export interface ProfileInput {
  username?: string | undefined;
  email?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
}

type Field = keyof ProfileInput;

/** The faults of a field: the key of the contract's text, and a sentence. */
const faults = {
  missingUsernameMessage: 'The username is required',
  missingEmailMessage: 'The email address is required',
  missingFirstNameMessage: 'The first name is required',
  missingLastNameMessage: 'The last name is required',
  readOnlyUsernameMessage: 'The realm does not let users change their usernames',
  updateReadOnlyAttributesRejectedMessage: 'The attribute can only be changed by administrators',
  'error-username-invalid-character': 'The username has characters that are not allowed',
  'error-invalid-email': 'The text is not a single email address',
  'error-invalid-length-too-long': 'The text must be at most 255 characters',
  usernameExistsMessage: 'Another user has this username',
  emailExistsMessage: 'Another user has this email address',
} as const;

/** A fault of a profile, by the key that the contract and the pages have for it. */
export type ProfileFaultKey = keyof typeof faults;

interface ProfileFault {
  key: ProfileFaultKey;
  field: string;
  value?: string | undefined;
}

const codes: Partial<Record<ProfileFaultKey, RefusalCode>> = {
  readOnlyUsernameMessage: 'READ_ONLY',
  updateReadOnlyAttributesRejectedMessage: 'READ_ONLY',
  'error-username-invalid-character': 'USERNAME_INVALID',
  'error-invalid-email': 'EMAIL_INVALID',
  usernameExistsMessage: 'USERNAME_TAKEN',
  emailExistsMessage: 'EMAIL_TAKEN',
};

const isTaken = (key: ProfileFaultKey): boolean => key === 'usernameExistsMessage' || key === 'emailExistsMessage';

/** The refusal of a profile, with the body of the contract. */
export function profileRefusal(found: readonly [ProfileFault, ...ProfileFault[]]): Refusal {
  const [first] = found;
  const errors = found.map(({ key, field, value }) => ({
    field,
    errorMessage: key,
    params: [`\${${field}}`, ...(value === undefined ? [] : [value])],
  }));
  const code = codes[first.key];
  return new Refusal(isTaken(first.key) ? 'conflict' : 'invalid', faults[first.key], {
    field: first.field,
    ...(code && { code }),
    faults: found.map(({ key, field }) => ({ path: field.split('.'), message: faults[key], code: codes[key] })),
    body: errors.length === 1 ? { ...errors[0], errors } : { errors },
  });
}

/** The key of the first fault in a refusal of a profile, with its field; undefined for other refusals. */
export function faultOfProfile({ details }: Refusal): { key: ProfileFaultKey; field: string } | undefined {
  const errors = details.body?.errors;
  const [first] = Array.isArray(errors) ? (errors as { errorMessage: ProfileFaultKey; field: string }[]) : [];
  return first && { key: first.errorMessage, field: first.field };
}

/** Whether the realm lets users change their usernames. */
export const editsUsername = (realm: RealmRecord): boolean =>
  isOn(realm, 'editUsernameAllowed') && !isOn(realm, 'registrationEmailAsUsername');

const longest = 255;

function usernameFaults(realm: RealmRecord, now: string, username: string | undefined): ProfileFault[] {
  if (username === undefined || isOn(realm, 'registrationEmailAsUsername')) return [];
  const name = storedUsername(username);
  if (name === now) return [];
  if (!editsUsername(realm)) return [{ key: 'readOnlyUsernameMessage', field: 'username' }];
  if (name === '') return [{ key: 'missingUsernameMessage', field: 'username' }];
  const isUsable = usernameFault(name) === undefined && !name.startsWith(serviceAccountName(''));
  return isUsable ? [] : [{ key: 'error-username-invalid-character', field: 'username', value: username }];
}

const missing = { firstName: 'missingFirstNameMessage', lastName: 'missingLastNameMessage' } as const;

/** All faults of a profile that a user wants to store. */
export function profileFaults(realm: RealmRecord, now: { username: string }, input: ProfileInput): ProfileFault[] {
  const email = input.email?.trim() ?? '';
  const emailFault: ProfileFault[] =
    email === ''
      ? [{ key: 'missingEmailMessage', field: 'email' }]
      : isOneAddress(email)
        ? []
        : [{ key: 'error-invalid-email', field: 'email', value: email }];
  const names = (['firstName', 'lastName'] as const).flatMap((field): ProfileFault[] =>
    input[field]?.trim() ? [] : [{ key: missing[field], field }],
  );
  const long = (['username', 'email', 'firstName', 'lastName'] satisfies Field[]).flatMap((field): ProfileFault[] =>
    (input[field]?.length ?? 0) > longest ? [{ key: 'error-invalid-length-too-long', field }] : [],
  );
  return [...usernameFaults(realm, now.username, input.username), ...emailFault, ...names, ...long];
}
