import { invalid } from '../../core/refusal.js';
import { placeOfCredential } from '../../core/sealed-columns.js';
import { mostIterations } from '../../credentials/hashing.js';
import type { CredentialInput } from '../../users/representation.js';
import type { RealmInput } from '../representation.js';
import type { Draft, HashedPassword } from './draft.js';

/** A password that a file has in plain text. */
export interface PlainPassword {
  credential: CredentialInput;
  value: string;
}

/** The plain password of a credential, if it has one. */
export const plainValue = ({ value, rawPassword }: CredentialInput): string | undefined =>
  value || rawPassword || undefined;

/** The passwords of nested users, which are hashed before `assembleRealm`. It finds the hashes by credential. */
export const plainPasswords = ({ users = [] }: Pick<RealmInput, 'users'>): PlainPassword[] =>
  users.flatMap((user) =>
    (user.credentials ?? []).flatMap((credential) => {
      const value = plainValue(credential);
      return value === undefined ? [] : [{ credential, value }];
    }),
  );

/** The credentials of one user, in the order of the file unless it gives priorities. */
export function assembleCredentials(draft: Draft, userId: string, credentials: readonly CredentialInput[]): void {
  const { context, rows } = draft;
  credentials.forEach((credential, index) => {
    const stored = storedForm(draft, credential);
    if (!stored) return;
    const id = draft.ids.of('Credential', credential.id);
    rows.Credential.push({
      id,
      userId,
      type: credential.type ?? 'password',
      userLabel: credential.userLabel ?? null,
      createdDate: credential.createdDate ?? context.now,
      priority: credential.priority ?? 10 * (index + 1),
      credentialData: stored.credentialData,
      secretData: context.seal(stored.secretData, placeOfCredential({ id, userId })),
    });
  });
}

function storedForm(draft: Draft, credential: CredentialInput): HashedPassword | undefined {
  if (plainValue(credential) !== undefined) {
    const hashed = draft.context.passwords?.get(credential);
    if (!hashed) throw new Error('A password of the new realm must be hashed before the transaction');
    return hashed;
  }
  return givenForm(credential);
}

/** The stored form of a credential that was hashed elsewhere; undefined if it has no secret. */
export function givenForm(credential: CredentialInput): HashedPassword | undefined {
  if (credential.secretData !== undefined || credential.credentialData !== undefined) {
    requireRounds(jsonRounds(credential.credentialData));
    return {
      credentialData: jsonText(credential.credentialData, 'credentialData'),
      secretData: jsonText(credential.secretData, 'secretData'),
    };
  }
  return credential.hashedSaltedValue === undefined ? undefined : oldForm(credential);
}

/** Refuses a password hash that would take too long to verify at each login. */
function requireRounds(rounds: unknown): void {
  if (typeof rounds !== 'number' || rounds <= mostIterations) return;
  throw invalid(`A password must have at most ${mostIterations} hash iterations, got ${rounds}`, 'hashIterations');
}

function jsonRounds(text = '{}'): unknown {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null && 'hashIterations' in data ? data.hashIterations : undefined;
  } catch {
    // refused below, with its field
    return undefined;
  }
}

function jsonText(value: string | undefined, field: string): string {
  try {
    JSON.parse(value ?? '{}');
  } catch {
    throw invalid(`\`${field}\` of a credential must be JSON`, field);
  }
  return value ?? '{}';
}

/** Exports older than stored credential data have its parts as fields. */
function oldForm(credential: CredentialInput): HashedPassword {
  const { hashedSaltedValue, salt, hashIterations, algorithm, counter, digits, period, type } = credential;
  if (type === 'totp' || type === 'hotp' || type === 'otp') {
    return {
      credentialData: JSON.stringify({
        subType: type === 'otp' ? 'totp' : type,
        digits: digits ?? 6,
        counter: counter ?? 0,
        period: period ?? 30,
        algorithm: algorithm ?? 'HmacSHA1',
      }),
      secretData: JSON.stringify({ value: hashedSaltedValue }),
    };
  }
  requireRounds(hashIterations);
  return {
    credentialData: JSON.stringify({ hashIterations: hashIterations ?? 1, algorithm: algorithm ?? 'pbkdf2' }),
    secretData: JSON.stringify({ value: hashedSaltedValue, salt: salt ?? '' }),
  };
}
