import { limit } from '../../config/limits.js';
import { inLowerCase, textsInOrder, withWildcards } from '../../database/like.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { isUserLocked } from '../attack-detection/login.js';
import { attributesOf } from '../core/attribute-query.js';
import { list, read } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import { invalid } from '../core/refusal.js';
import { flag, type Input, representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { type RoleTarget, viewRole } from '../roles/locate.js';
import { importMatches } from '../user-storage/read/look-up.js';
import { shownUsers } from '../user-storage/storage-id.js';
import type { UserTarget } from './locate.js';
import { searchText } from './search.js';
import type { SingleUser } from './store.js';
import { storedUsername } from './usernames.js';

/** The criteria that the contract's list and count of users take. */
const UserCriteria = representation('UserCriteria', {
  search: text,
  username: text,
  email: text,
  firstName: text,
  lastName: text,
  emailVerified: flag,
  enabled: flag,
  exact: flag,
  idpAlias: text,
  idpUserId: text,
  q: text,
  createdAfter: text,
  createdBefore: text,
});
type UserCriteria = Input<typeof UserCriteria>;

/** Each word somewhere in the user name, the e-mail address or one of the names, whatever the case. */
export const containingWords = (search: string, pattern = (word: string) => word): Prisma.UserWhereInput => ({
  AND: [...new Set(search.split(/\s+/))]
    .filter((word) => word !== '')
    .map((word) => ({ search: { contains: pattern(searchText(word)) } })),
});

/** How a text is compared: as a whole, anywhere within a value, or as a whole with asterisks for any characters. */
type Comparison = 'exact' | 'within' | 'starred';

/** A test of one of the names as the search column has them: each value on a line, in lower case. */
function namePart(part: 'firstName' | 'lastName', value: string, comparison: Comparison): Prisma.UserWhereInput {
  const before = part === 'firstName' ? ['\n', '\n'] : ['\n', '\n', '\n'];
  const after = part === 'firstName' ? ['\n'] : [];
  const needle = searchText(value);
  const names: Record<Comparison, string[]> = {
    exact: [`\n${needle}\n`],
    within: ['\n', withWildcards(needle), '\n'],
    starred: `\n${needle}\n`.split('*'),
  };
  return { search: { contains: textsInOrder(...before, ...names[comparison], ...after) } };
}

/** A test of a column in lower case. */
function columnTest(value: string, comparison: Comparison): string | Prisma.StringFilter {
  const text = value.toLowerCase();
  if (comparison === 'exact') return text;
  if (comparison === 'within') return { contains: withWildcards(text) };
  const pieces = text.split('*');
  return { startsWith: pieces[0] ?? '', contains: textsInOrder(...pieces), endsWith: pieces.at(-1) ?? '' };
}

/**
 * Adds to what a filter finds the people of directories: for these an asterisk in a text stands for any characters, as in
 * their directories. For users who are only here it is a character like others.
 */
function orStarred(
  { components }: RealmRecord,
  texts: readonly (string | undefined)[],
  literal: Prisma.UserWhereInput,
  starred: () => Prisma.UserWhereInput,
): Prisma.UserWhereInput {
  if (components.length === 0 || !texts.some((text) => text?.includes('*'))) return literal;
  return { OR: [literal, { federationLink: { in: components.map(({ id }) => id) }, ...starred() }] };
}

const idPrefix = 'id:';

/** A test of the attribute, or of the field with that name, that a term of `q` asks for, whatever the case. */
function attributeTest(name: string, value: string): Prisma.UserWhereInput {
  if (name === 'username') return { username: storedUsername(value) };
  if (name === 'email') return { email: value.toLowerCase() };
  if (name === 'firstName' || name === 'lastName') return namePart(name, value, 'exact');
  return { attributes: { some: { name, value: inLowerCase({ equals: value.toLowerCase() }) } } };
}

const millisecondsOfDay = 86_400_000;

/** The time that a parameter states, as a day of UTC or as milliseconds since 1970. */
function timeOf(name: string, value: string): number {
  const time = /^\d{1,15}$/.test(value) ? Number(value) : Date.parse(/^\d{4}-\d\d-\d\d$/.test(value) ? value : '');
  if (Number.isNaN(time))
    throw invalid(`Invalid value for '${name}', expected format is yyyy-MM-dd or an Epoch timestamp`, name);
  return time;
}

/** Each attribute is another relation in the statement, and PostgreSQL plans hundreds of them for minutes. */
const mostTerms = limit(
  'Searches and pages',
  'Attributes that `q` of a search for users names',
  20,
  'attributes',
  '400',
);

/** The attributes that `q` asks for. Refuses too many. */
function termsOf(q: string | undefined): [name: string, value: string][] {
  const terms = attributesOf(q ?? '');
  if (terms.length > mostTerms)
    throw invalid(`\`q\` must name at most ${mostTerms} attributes, got ${terms.length}`, 'q');
  return terms;
}

/** The criteria that came with versions after 15. They apply to a search, too. */
function byNewerCriteria({ q, createdAfter, createdBefore }: UserCriteria): Prisma.UserWhereInput[] {
  const isDay = createdBefore?.includes('-');
  return [
    ...termsOf(q).map(([name, value]) => attributeTest(name, value)),
    ...(createdAfter ? [{ createdTimestamp: { gte: timeOf('createdAfter', createdAfter) } }] : []),
    ...(createdBefore
      ? [{ createdTimestamp: { lte: timeOf('createdBefore', createdBefore) + (isDay ? millisecondsOfDay - 1 : 0) } }]
      : []),
  ];
}

function bySearch(realm: RealmRecord, search: string): Prisma.UserWhereInput {
  if (search.startsWith(idPrefix)) return { id: search.slice(idPrefix.length).trim() };
  const starred = (word: string) => (word.includes('*') ? textsInOrder(...`\n${word}\n`.split('*')) : word);
  const found = orStarred(realm, [search], containingWords(search, withWildcards), () =>
    containingWords(search, starred),
  );
  return { serviceAccountClientId: null, ...found };
}

function byCriteria(realm: RealmRecord, criteria: UserCriteria): Prisma.UserWhereInput {
  const { username, email, firstName, lastName, exact } = criteria;
  if (exact) return comparing(criteria, 'exact');
  return orStarred(realm, [username, email, firstName, lastName], comparing(criteria, 'within'), () =>
    comparing(criteria, 'starred'),
  );
}

function comparing(criteria: UserCriteria, comparison: Comparison): Prisma.UserWhereInput {
  const { username, email, firstName, lastName, emailVerified, enabled, idpAlias, idpUserId } = criteria;
  const names = Object.entries({ firstName, lastName }) as ['firstName' | 'lastName', string | undefined][];
  return {
    ...(username && {
      username: comparison === 'exact' ? storedUsername(username) : columnTest(username.normalize('NFKC'), comparison),
    }),
    ...(email && { email: columnTest(email, comparison) }),
    ...(emailVerified !== undefined && { emailVerified }),
    ...(enabled !== undefined && { enabled }),
    ...((idpAlias || idpUserId) && {
      federatedIdentities: {
        some: { ...(idpAlias && { identityProvider: idpAlias }), ...(idpUserId && { externalUserId: idpUserId }) },
      },
    }),
    AND: [
      ...names.flatMap(([part, value]) => (value ? namePart(part, value, comparison) : [])),
      // says nothing new, but there is an index for it
      ...[username, email].flatMap((value) =>
        value && comparison === 'within' ? { search: { contains: withWildcards(searchText(value)) } } : [],
      ),
    ],
  };
}

/** Whether any of the criteria was given: without one, service accounts stay out of the list. */
const isPlain = (criteria: UserCriteria): boolean => Object.values(criteria).every((value) => value === undefined);

const ofRealm = (realm: RealmRecord, ...where: Prisma.UserWhereInput[]): Prisma.UserWhereInput => ({
  AND: [{ realmId: realm.id }, ...where],
});

export const listUsers = list({
  name: 'user.list',
  summary:
    'Returns the users of a realm. `search` overrides the other criteria except `q`, `createdAfter`, and `createdBefore`.',
  input: UserCriteria,
  allow: 'query:users',
  check: async (_permit, { realm }: Target, criteria, { unit, services }) => {
    // what is found in directories is kept at once, which is not for a transaction that may be undone
    if (!unit) await importMatches(services, realm, criteria);
  },
  model: 'User',
  visible: 'users',
  shown: shownUsers,
  where: ({ realm }: Target, criteria): Prisma.UserWhereInput => {
    const newer = byNewerCriteria(criteria);
    if (criteria.search !== undefined) return ofRealm(realm, bySearch(realm, criteria.search), ...newer);
    if (isPlain(criteria)) return ofRealm(realm, { serviceAccountClientId: null });
    return ofRealm(realm, byCriteria(realm, criteria), ...newer);
  },
  orderBy: [{ username: 'asc' }],
});

/** The count of the contract knows fewer criteria than the list, and the case of a letter matters to it. */
export const countUsers = list({
  name: 'user.count',
  summary:
    'Returns the number of users in a realm. `search` overrides the other criteria except `q`, `createdAfter`, and `createdBefore`. Names are case-sensitive for this operation.',
  input: UserCriteria,
  allow: 'query:users',
  model: 'User',
  visible: 'users',
  shown: shownUsers,
  where: ({ realm }: Target, criteria): Prisma.UserWhereInput => {
    const { search, username, email, firstName, lastName, emailVerified } = criteria;
    const newer = byNewerCriteria(criteria);
    if (search !== undefined) return ofRealm(realm, bySearch(realm, search), ...newer);
    const texts = Object.entries({ username, email, firstName, lastName }).filter(([, value]) => value);
    const known = [username, email, firstName, lastName, emailVerified];
    if (known.every((value) => value === undefined)) return ofRealm(realm, { serviceAccountClientId: null }, ...newer);
    const older = {
      ...Object.fromEntries(texts.map(([name, value]) => [name, { contains: withWildcards(value as string) }])),
      ...(emailVerified !== undefined && { emailVerified }),
    };
    return ofRealm(realm, older, ...newer);
  },
  orderBy: [{ username: 'asc' }],
});

/** A caller who may see the role but no users gets an empty list. */
export const usersOfRole = list({
  name: 'role.users',
  summary: 'Returns the users with a direct mapping of a role.',
  allow: viewRole,
  model: 'User',
  visible: 'users',
  shown: shownUsers,
  where: ({ realm, role }: RoleTarget): Prisma.UserWhereInput =>
    ofRealm(realm, { roles: { some: { roleId: role.id } } }),
  orderBy: [{ username: 'asc' }],
});

const UserForm = representation('UserForm', { withMetadata: flag });

/** A user as it is read alone. */
export interface ReadUser extends SingleUser {
  /** whether the answer describes the fields of the user, too */
  withMetadata?: boolean;
}

export const getUser = read({
  name: 'user.get',
  summary: 'Returns a user.',
  input: UserForm,
  allow: 'view:users',
  // as in the reference server, only this answer shows it
  run: async (ctx, { realm, user }: UserTarget, { withMetadata }): Promise<ReadUser> => ({
    ...user,
    ...((await isUserLocked(ctx.db, realm, user.id, ctx.services.now())) && { enabled: false }),
    ...(withMetadata && { withMetadata }),
  }),
});
