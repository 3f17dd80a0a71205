import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { Refusal } from '../core/refusal.js';
import { realmSelect } from '../realms/record.js';
import { importByLogin } from '../user-storage/look-up.js';
import { readPerson } from '../user-storage/read-person.js';
import { isHidden, isSwitchedOff } from '../user-storage/storage-id.js';
import { storedUsername } from '../users/usernames.js';
import { members, type TokenContext, textsOf } from './context.js';

const mapperSelect = { id: true, name: true, protocol: true, protocolMapper: true, config: true } as const;

/** All of a client that decides what stands in its tokens, and how it proves who it is. */
export const clientSelect = {
  id: true,
  realmId: true,
  clientId: true,
  enabled: true,
  secret: true,
  clientAuthenticatorType: true,
  publicClient: true,
  bearerOnly: true,
  consentRequired: true,
  directAccessGrantsEnabled: true,
  serviceAccountsEnabled: true,
  fullScopeAllowed: true,
  notBefore: true,
  rootUrl: true,
  redirectUris: true,
  webOrigins: true,
  attributes: true,
  authenticationFlowBindingOverrides: true,
  protocolMappers: { select: mapperSelect },
  serviceAccount: { select: { id: true } },
  scopes: {
    select: {
      optional: true,
      clientScope: {
        select: {
          id: true,
          name: true,
          protocol: true,
          attributes: true,
          protocolMappers: { select: mapperSelect },
          _count: { select: { scopeMappings: true } },
        },
      },
    },
  },
} as const satisfies Prisma.ClientSelect;

/** All of a user that decides about logins and tokens. */
export const userSelect = {
  id: true,
  username: true,
  email: true,
  emailVerified: true,
  firstName: true,
  lastName: true,
  enabled: true,
  createdTimestamp: true,
  notBefore: true,
  requiredActions: true,
  serviceAccountClientId: true,
  federationLink: true,
  federationId: true,
  attributes: { orderBy: { position: 'asc' }, select: { name: true, value: true } },
  _count: { select: { groups: true } },
  credentials: {
    where: { type: { in: ['password', 'otp'] } },
    orderBy: { priority: 'asc' },
    select: { id: true, type: true, createdDate: true, credentialData: true, secretData: true },
  },
} as const satisfies Prisma.UserSelect;

/** A client with all that decides what stands in its tokens. */
export type TokenClient = Prisma.ClientGetPayload<{ select: typeof clientSelect }>;
/** A user with all that decides what stands in tokens, and how the user logs in. */
export type TokenUser = Prisma.UserGetPayload<{ select: typeof userSelect }> & {
  /** whether the user comes from a storage that is switched off, so that no password can be right */
  isSwitchedOff?: boolean;
};
/** A client scope of a client. */
export type TokenScope = TokenClient['scopes'][number]['clientScope'];
/** A protocol mapper of a client or client scope. */
export type TokenMapper = TokenClient['protocolMappers'][number];

export interface TokenRealm {
  id: string;
  name: string;
  enabled: boolean;
  settings: Record<string, unknown>;
  /** the user storages */
  components: readonly { id: string; config: unknown }[];
}

/** A realm, and the client that was asked for if it is there. */
export interface Parties {
  realm: TokenRealm;
  client: TokenClient | undefined;
}

/** The realm and, if there is one, the client of this clientId: one statement at most. 404 for an unknown realm. */
export function findRealmAndClient(
  { database, parties }: TokenContext,
  realmName: string,
  clientId: string | undefined,
): Promise<Parties> {
  const find = () => readRealmAndClient(database.read, realmName, clientId);
  return parties ? parties.get(`${realmName}\n${clientId ?? ''}`, find) : find();
}

async function readRealmAndClient(db: Db, realmName: string, clientId: string | undefined): Promise<Parties> {
  const found = await db.realm.findFirst({
    where: { name: realmName },
    select: {
      id: true,
      name: true,
      enabled: true,
      settings: true,
      components: realmSelect.components,
      // no client has an empty id
      clients: { where: { clientId: clientId ?? '' }, select: clientSelect },
    },
  });
  if (!found) throw realmDoesNotExist();
  const { clients, settings, ...realm } = found;
  return { realm: { ...realm, settings: members(settings) }, client: clients[0] };
}

/** The refusal of the public endpoints of an unknown realm (those of administrators word it otherwise). */
export const realmDoesNotExist = (): Refusal => new Refusal('notFound', 'Realm does not exist', { member: 'error' });

/** The user of this id in the realm. */
export const findUserById = ({ database }: TokenContext, realmId: string, id: string): Promise<TokenUser | null> =>
  database.read.user.findFirst({ where: { id, realmId }, select: userSelect });

/**
 * The user who logs in with this name, taken from a user storage where the realm does not have it yet: by e-mail address first, where the realm allows that and the name looks like one,
 * otherwise by user name. The options for logging in with an address and for sharing addresses exclude each other.
 */
export async function findUserByLogin(
  context: TokenContext,
  realm: TokenRealm,
  name: string,
): Promise<TokenUser | undefined> {
  const login = storedUsername(name);
  // names that were stored before they were normalised
  const typed = name.trim().toLowerCase();
  const byEmail =
    login.includes('@') &&
    realm.settings.loginWithEmailAllowed === true &&
    realm.settings.duplicateEmailsAllowed !== true;
  const user = await storedUser(context, realm, typed, login, byEmail);
  if (user && isSwitchedOff(realm, user)) {
    return isHidden(realm, user) ? undefined : { ...user, enabled: false, isSwitchedOff: true };
  }
  if (user || login === '' || !(await importByLogin(context, realm.id, login, byEmail))) return user;
  context.publish({ realmId: realm.id, operation: 'userStorage.import', eventId: '', touches: [`users:${realm.id}`] });
  return storedUser(context, realm, typed, login, byEmail);
}

/**
 * Who has logged in, as the directory of the user says now: its groups and roles are to be in the tokens. Nothing for who is
 * no longer there.
 */
export async function upToDate(context: TokenContext, realm: TokenRealm, user: TokenUser): Promise<TokenUser | null> {
  const { peopleRead } = context;
  if (!peopleRead || user.federationLink === null || !user.enabled) return user;
  const result = await readPerson({ ...context, peopleRead, feed: context }, realm.id, user);
  return result === 'same' ? user : findUserById(context, realm.id, user.id);
}

async function storedUser(
  { database }: TokenContext,
  realm: TokenRealm,
  typed: string,
  login: string,
  byEmail: boolean,
): Promise<TokenUser | undefined> {
  const username = typed === login ? login : { in: [typed, login] };
  const users = await database.read.user.findMany({
    where: { realmId: realm.id, OR: byEmail ? [{ email: typed }, { username }] : [{ username }] },
    select: userSelect,
  });
  const people = users.filter(({ serviceAccountClientId }) => serviceAccountClientId === null);
  return (
    (byEmail ? people.find(({ email }) => email === typed) : undefined) ??
    people.find((user) => user.username === typed) ??
    people.find((user) => user.username === login)
  );
}

/** The origins that may read answers meant for the client: `+` stands for those of its redirect addresses. */
export function allowedOrigins(client: Pick<TokenClient, 'webOrigins' | 'redirectUris' | 'rootUrl'>): string[] {
  const listed = textsOf(client.webOrigins);
  if (!listed.includes('+')) return listed;
  const redirects = textsOf(client.redirectUris).flatMap((uri) => {
    const address = uri.startsWith('/') ? `${client.rootUrl ?? ''}${uri}` : uri;
    const origin = /^https?:\/\/[^/*?#]+/i.exec(address)?.[0];
    return origin ? [origin] : [];
  });
  return [...new Set([...listed.filter((origin) => origin !== '+'), ...redirects])];
}
