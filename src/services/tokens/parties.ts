import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { members } from '../core/json.js';
import { realmSelect } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { importByLogin } from '../user-storage/read/look-up.js';
import { readPerson } from '../user-storage/read/read-person.js';
import { isHidden, isSwitchedOff } from '../user-storage/storage-id.js';
import { storedUsername } from '../users/usernames.js';
import type { TokenContext } from './context.js';
import { clientSelect, type Parties, type TokenRealm, type TokenUser, userSelect } from './types.js';

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
      attributes: true,
      components: realmSelect.components,
      flows: { where: { providerId: clientFlow }, select: clientFlowSelect },
      // no client has an empty id
      clients: { where: { clientId: clientId ?? '' }, select: clientSelect },
    },
  });
  if (!found) throw realmDoesNotExist();
  const { clients, flows, attributes, ...realm } = found;
  const settings = members(found.settings);
  const alias = settings.clientAuthenticationFlow ?? 'clients';
  const clientAuthenticators = authenticatorsIn(flows.find((flow) => flow.alias === alias));
  return { realm: { ...realm, settings, attributes: members(attributes), clientAuthenticators }, client: clients[0] };
}

/** The kind of flows by which clients authenticate. */
const clientFlow = 'client-flow';
const clientFlowSelect = {
  alias: true,
  executions: { select: { authenticator: true, requirement: true } },
} as const satisfies Prisma.AuthenticationFlowSelect;

/** The authenticators in a flow: those that are required, or else the alternatives. Undefined where there is no flow. */
function authenticatorsIn(
  flow: Prisma.AuthenticationFlowGetPayload<{ select: typeof clientFlowSelect }> | undefined,
): ReadonlySet<string> | undefined {
  if (!flow) return undefined;
  const named = (wanted: string) =>
    flow.executions.flatMap(({ authenticator, requirement }) =>
      requirement === wanted && authenticator !== null ? authenticator : [],
    );
  const required = named('REQUIRED');
  return new Set(required.length > 0 ? required : named('ALTERNATIVE'));
}

/** The refusal of the public endpoints of an unknown realm (those of administrators word it otherwise). */
export const realmDoesNotExist = (): Refusal => new Refusal('notFound', 'Realm does not exist', { member: 'error' });

/** A user who is disabled if its storage is switched off. */
export const withStorage = (realm: Pick<TokenRealm, 'components'>, user: TokenUser): TokenUser =>
  isSwitchedOff(realm, user) ? { ...user, enabled: false, isSwitchedOff: true } : user;

/** The user of this id in the realm. */
export async function findUserById(
  { database }: TokenContext,
  realm: Pick<TokenRealm, 'id' | 'components'>,
  id: string,
): Promise<TokenUser | null> {
  const user = await database.read.user.findFirst({ where: { id, realmId: realm.id }, select: userSelect });
  return user && withStorage(realm, user);
}

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
  if (user && isSwitchedOff(realm, user)) return isHidden(realm, user) ? undefined : withStorage(realm, user);
  if (user || login === '' || !(await importByLogin(context, realm.id, login, byEmail))) return user;
  return storedUser(context, realm, typed, login, byEmail);
}

/**
 * Who has logged in, as the directory of the user says now: its groups and roles are to be in the tokens. Nothing for who is
 * no longer there.
 */
export async function upToDate(context: TokenContext, realm: TokenRealm, user: TokenUser): Promise<TokenUser | null> {
  const { peopleRead } = context;
  if (!peopleRead || user.federationLink === null || !user.enabled) return user;
  const result = await readPerson({ ...context, peopleRead }, realm.id, user);
  return result === 'same' ? user : findUserById(context, realm, user.id);
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
