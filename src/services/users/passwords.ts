import { atPlace } from '../core/batch.js';
import { attempt } from '../core/batch-of.js';
import type { Context } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { invalid, Refusal } from '../core/refusal.js';
import { placeOfCredential } from '../core/sealed-columns.js';
import { type HashedPassword, hashPassword } from '../credentials/hashing.js';
import { hashSettingsOf, policySettings } from '../credentials/password-policy.js';
import { breachFaults, findPolicyBreach, type PolicyBreach } from '../credentials/policy.js';
import { givenForm, plainValue } from '../realms/assemble/credentials.js';
import type { CredentialInput } from './representation.js';
import { passwordHistory } from './store.js';

/** What a password is compared with. */
export interface PasswordOwner {
  username: string;
  email: string | null;
  /** the present password and those before it, latest first */
  history?: readonly HashedPassword[];
}

/** Credentials that are ready to be stored. Nothing in it is sealed yet. */
export interface PreparedCredentials {
  /** the password to set, or the rule that it breaks */
  password?: HashedPassword | PolicyBreach;
  temporary: boolean;
  /** credentials that were hashed elsewhere, by their ids in the input where they had one */
  given: { id: string | undefined; credential: CredentialInput; stored: HashedPassword }[];
}

/** Whether a password was refused by the password policy. */
export const isBreach = (password: HashedPassword | PolicyBreach): password is PolicyBreach => 'error' in password;

/** The password policy of a realm, as its settings have it. */
export const policyOf = (realm: RealmRecord): string | undefined => realm.settings.passwordPolicy as string | undefined;

/** Hashes a password as the realm's policy wants it, unless it breaks that policy. */
export async function preparePassword(
  realm: RealmRecord,
  password: string,
  owner: PasswordOwner,
): Promise<HashedPassword | PolicyBreach> {
  const policy = policyOf(realm);
  const found = await findPolicyBreach(policy, { password, line: realm.id, ...owner });
  if (found) return found;
  return hashPassword(password, hashSettingsOf(realm));
}

/** The credentials of a user representation. Of several passwords the last one counts. */
export async function prepareCredentials(
  realm: RealmRecord,
  credentials: readonly CredentialInput[] | undefined,
  owner: () => Promise<PasswordOwner> | PasswordOwner,
): Promise<PreparedCredentials> {
  const prepared: PreparedCredentials = { temporary: false, given: [] };
  let plain: string | undefined;
  for (const [index, credential] of (credentials ?? []).entries()) {
    if (credential.temporary) prepared.temporary = true;
    const value = plainValue(credential);
    if (value !== undefined) {
      plain = value;
      continue;
    }
    const secret = credential.secretData ?? credential.hashedSaltedValue;
    const stored = secret === undefined ? undefined : attempt(() => givenForm(credential));
    if (stored instanceof Refusal) throw atPlace(stored, ['credentials', String(index)]);
    if (stored) prepared.given.push({ id: credential.id, credential, stored });
  }
  if (plain !== undefined) prepared.password = await preparePassword(realm, plain, await owner());
  return prepared;
}

const hashedTogether = 8;

/** Prepares items a few at a time: hashing fills the processor, and others want to log in at the same time. */
export async function prepareAll<I, P>(
  items: readonly I[],
  prepare: (item: I, at: number) => Promise<P>,
): Promise<P[]> {
  const prepared: P[] = [];
  for (let at = 0; at < items.length; at += hashedTogether) {
    const some = items.slice(at, at + hashedTogether).map((item, index) => prepare(item, at + index));
    prepared.push(...(await Promise.all(some)));
  }
  return prepared;
}

/** Prepares an item of a list; what it is refused for is at its place. */
export async function preparedAt<P>(place: readonly string[], prepare: () => Promise<P>): Promise<P> {
  try {
    return await prepare();
  } catch (error) {
    throw error instanceof Refusal ? atPlace(error, place) : error;
  }
}

/** The password that a representation has as it was typed. Of several the last one counts. */
export const typedPassword = (credentials: readonly CredentialInput[] = []): string | undefined =>
  credentials.flatMap((credential) => plainValue(credential) ?? []).at(-1);

/** Whether the password breaks the policy of the realm. */
export const isWeak = ({ password }: PreparedCredentials): boolean => password !== undefined && isBreach(password);

/** Refuses a password that breaks the policy of the realm, with this message. */
export function requirePolicy(prepared: PreparedCredentials, message: string): void {
  const { password } = prepared;
  if (!password || !isBreach(password)) return;
  throw invalid(message, 'password', { code: 'PASSWORD_POLICY', faults: breachFaults(password, 'password') });
}

/** The same without the password, which is kept elsewhere. */
export function withoutPassword({ password: _hashed, ...others }: PreparedCredentials): PreparedCredentials {
  return others;
}

/**
 * The passwords that new ones of these users may have to differ from, opened, latest first. None where the policy does
 * not ask.
 */
export async function passwordsOf(
  ctx: Context,
  realm: RealmRecord,
  userIds: readonly string[],
): Promise<Map<string, HashedPassword[]>> {
  const result = new Map<string, HashedPassword[]>(userIds.map((id) => [id, []]));
  if (userIds.length === 0 || policySettings(policyOf(realm)).history < 1) return result;
  const rows = await ctx.db.credential.findMany({
    where: { userId: { in: [...userIds] }, type: { in: ['password', passwordHistory] } },
    select: { id: true, userId: true, credentialData: true, secretData: true },
    orderBy: [{ type: 'asc' }, { createdDate: 'desc' }],
  });
  for (const row of rows) {
    const secretData = ctx.services.sealer.open(row.secretData, placeOfCredential(row));
    result.get(row.userId)?.push({ credentialData: row.credentialData, secretData });
  }
  return result;
}
