import type { ClientInput } from '../../clients/representation.js';
import type { Context } from '../../core/context.js';
import type { RealmRecord } from '../../core/realm.js';
import { busy, invalid } from '../../core/refusal.js';
import type { Input } from '../../core/shape.js';
import type { HashedPassword } from '../../credentials/hashing.js';
import type { GroupInput } from '../../groups/representation.js';
import type { IdentityProviderInput } from '../../identity-providers/representation.js';
import type { RoleRepresentation } from '../../roles/representation.js';
import { storedEmail } from '../../users/names.js';
import { isBreach, preparePassword } from '../../users/passwords.js';
import type { CredentialInput, UserInput } from '../../users/representation.js';
import { plainValue } from '../assemble/credentials.js';
import { usernameOf } from '../assemble/users.js';
import type { PartialImportRepresentation } from '../nested-representations.js';

type RoleInput = Input<typeof RoleRepresentation>;

type Sent = Input<typeof PartialImportRepresentation>;

/** A file for a partial import, by kind. */
export interface ImportFile {
  policy: 'SKIP' | 'OVERWRITE' | 'FAIL';
  users: UserInput[];
  clients: ClientInput[];
  groups: GroupInput[];
  providers: IdentityProviderInput[];
  realmRoles: RoleInput[];
  /** client roles by clientId */
  clientRoles: Record<string, RoleInput[]>;
}

const none = { id: undefined };

const groupWithoutIds = (group: GroupInput): GroupInput => ({
  ...group,
  ...none,
  subGroups: group.subGroups?.map(groupWithoutIds),
});

/** The file without the IDs in it: everything that is imported gets a new one, as on the reference server. */
export function fileOf(sent: Sent): ImportFile {
  const roleWithoutId = (role: RoleInput): RoleInput => ({ ...role, ...none });
  return {
    policy: sent.ifResourceExists ?? sent.policy ?? 'FAIL',
    users: (sent.users ?? []).map((user) => ({
      ...user,
      ...none,
      credentials: user.credentials?.map((credential) => ({ ...credential, ...none })),
    })),
    clients: (sent.clients ?? []).map((client) => ({
      ...client,
      ...none,
      protocolMappers: client.protocolMappers?.map((mapper) => ({ ...mapper, ...none })),
    })),
    groups: (sent.groups ?? []).map(groupWithoutIds),
    providers: (sent.identityProviders ?? []).map((provider) => ({ ...provider, internalId: undefined })),
    realmRoles: (sent.roles?.realm ?? []).map(roleWithoutId),
    clientRoles: Object.fromEntries(
      Object.entries(sent.roles?.client ?? {}).map(([clientId, roles]) => [clientId, roles.map(roleWithoutId)]),
    ),
  };
}

/** The hashed plain passwords of a file, by credential. Passwords that break the policy are in `breaches`. */
export interface Passwords {
  hashed: Map<CredentialInput, HashedPassword>;
  breaches: Set<CredentialInput>;
}

const hashedTogether = 8;

/** The users of the file who already exist and stay unchanged: their passwords are not hashed. */
async function skipped(ctx: Context, realm: RealmRecord, { policy, users }: ImportFile): Promise<ReadonlySet<string>> {
  if (policy !== 'SKIP') return new Set();
  const withPassword = users.filter(({ credentials }) => credentials?.some((item) => plainValue(item) !== undefined));
  if (withPassword.length === 0) return new Set();
  const names = withPassword.flatMap((user) => (user.username ? usernameOf(user) : []));
  const there = await ctx.db.user.findMany({
    where: { realmId: realm.id, username: { in: names } },
    select: { username: true },
  });
  return new Set(there.map(({ username }) => username));
}

/** Hashes the plain passwords by the realm's policy, a few at a time, so that logins are not held up. */
export async function hashPasswords(ctx: Context, realm: RealmRecord, file: ImportFile): Promise<Passwords> {
  const stay = await skipped(ctx, realm, file);
  const plain = file.users.flatMap((user) => {
    const owner = { username: usernameOf(user), email: storedEmail(user.email) };
    if (stay.has(owner.username)) return [];
    return (user.credentials ?? []).flatMap((credential) => {
      const value = plainValue(credential);
      return value === undefined ? [] : { owner, credential, value };
    });
  });
  const passwords: Passwords = { hashed: new Map(), breaches: new Set() };
  for (let at = 0; at < plain.length; at += hashedTogether) {
    await Promise.all(
      plain.slice(at, at + hashedTogether).map(async ({ owner, credential, value }) => {
        const password = await preparePassword(realm, value, owner);
        if (isBreach(password)) passwords.breaches.add(credential);
        else passwords.hashed.set(credential, password);
      }),
    );
  }
  return passwords;
}

/**
 * Refuses users whose password breaks the policy, and users who existed when passwords were hashed but were deleted
 * since.
 */
export function requireHashed(users: readonly UserInput[], { hashed, breaches }: Passwords): void {
  users.forEach((user, index) => {
    for (const credential of user.credentials ?? []) {
      if (breaches.has(credential)) {
        throw invalid(`Password policy not met for user ${user.username}`, `users.${index}.credentials`);
      }
      if (plainValue(credential) !== undefined && !hashed.has(credential)) {
        throw busy('Users were deleted in the meantime; retry');
      }
    }
  });
}
