import { lookAlikes, usernameFault } from '../../users/usernames.js';
import type { Person } from '../person.js';

/** The data of a user that is needed to find conflicts of names. */
export interface Holder {
  id: string;
  username: string;
  email: string | null;
  federationLink: string | null;
  federationId: string | null;
}

/** A person with its existing or future user. */
interface Claim<U extends Holder> {
  id: string;
  person: Person;
  /** undefined for a new user */
  user: U | undefined;
}

/** The directory users of a batch by the outcome for the names in the directory. */
export interface Claims<U extends Holder> {
  granted: Claim<U>[];
  /** directory users whose name or address another user of the storage has, who may still give it up */
  blocked: Person[];
  /** directory users whose name or address another user has, or whose name is not allowed */
  failed: Person[];
  /** IDs of users whose old name goes to another user of the batch; `yieldedEmails`: the same for addresses */
  yieldedNames: string[];
  yieldedEmails: string[];
}

interface Rules<U> {
  storageId: string;
  duplicateEmails: boolean;
  /** whether the storage identifies its users by their names */
  byName: boolean;
  newId(person: Person): string;
  /** the person with the user's fields that override the directory */
  merged(person: Person, user: U): Person;
}

type Names = Map<string, string>;

function claimsOf<U extends Holder>(people: readonly Person[], present: readonly U[], rules: Rules<U>): Claim<U>[] {
  const own = present.filter(({ federationLink }) => federationLink === rules.storageId);
  const byId = new Map(own.map((user) => [user.federationId, user]));
  const adoptable = new Map(
    own.flatMap((user) => (user.federationId === null || rules.byName ? [[user.username, user]] : [])),
  );
  return people.map((person) => {
    const user = byId.get(person.federationId) ?? adoptable.get(person.username);
    return user ? { id: user.id, person: rules.merged(person, user), user } : { id: rules.newId(person), person, user };
  });
}

/** The address that a person will have; without a mapper it stays. */
const emailOf = <U extends Holder>({ person, user }: Claim<U>): string | null =>
  person.email === undefined ? (user?.email ?? null) : person.email;

/** Whether a person has a username that is new for the user. */
const isNamedAnew = <U extends Holder>({ person, user }: Claim<U>): boolean => user?.username !== person.username;

/** The holders of a claim's username and, if the name is new for the user, of names that look the same. */
const holdersOfName = <U extends Holder>(names: Names, claim: Claim<U>): (string | undefined)[] => {
  const { username } = claim.person;
  const alike = isNamedAnew(claim) ? lookAlikes(username) : [];
  return [username, ...alike].map((name) => names.get(name));
};

/**
 * Decides conflicts of names in a batch. Names that a user of the batch gives up are free for others, so users can swap
 * names. If several want the same name, the first one gets it. Usernames that are not allowed in the realm are refused.
 */
export function settleClaims<U extends Holder>(
  people: readonly Person[],
  present: readonly U[],
  rules: Rules<U>,
): Claims<U> {
  const claims = claimsOf(people, present, rules);
  const isFaulty = (claim: Claim<U>) => isNamedAnew(claim) && usernameFault(claim.person.username) !== undefined;
  const refused = new Set<Claim<U>>(claims.filter(isFaulty));
  const blocked = new Set<Person>();
  const ofStorage = new Set(
    present.flatMap(({ id, federationLink }) => (federationLink === rules.storageId ? id : [])),
  );
  // usernames of users outside of the storage: an address that equals one of them would prevent that user's login
  const others: Names = new Map(
    present.flatMap(({ id, username }) => (ofStorage.has(id) ? [] : [[username, id] as const])),
  );
  // a refused user keeps the old names, which others may have received: then everything is decided again
  for (let settled = false; !settled; ) {
    settled = true;
    const names: Names = new Map(present.map(({ id, username }) => [username, id]));
    const emails: Names = new Map(present.flatMap(({ id, email }) => (email === null ? [] : [[email, id]])));
    for (const claim of claims) {
      if (!claim.user || refused.has(claim)) continue;
      if (claim.user.username !== claim.person.username) names.delete(claim.user.username);
      if (claim.user.email !== null && claim.user.email !== emailOf(claim)) emails.delete(claim.user.email);
    }
    for (const claim of claims) {
      if (refused.has(claim)) continue;
      const email = emailOf(claim);
      const isFree = email === null || rules.duplicateEmails;
      const holders = [
        ...holdersOfName(names, claim),
        ...(isFree ? [] : [emails.get(email), others.get(email)]),
      ].filter((holder) => holder !== undefined && holder !== claim.id);
      if (holders.length > 0) {
        refused.add(claim);
        if (holders.every((holder) => ofStorage.has(holder ?? ''))) blocked.add(claim.person);
        settled &&= !claim.user;
        continue;
      }
      names.set(claim.person.username, claim.id);
      if (email !== null) emails.set(email, claim.id);
    }
  }
  const granted = claims.filter((claim) => !refused.has(claim));
  return {
    granted,
    blocked: [...blocked],
    failed: [...refused].flatMap(({ person }) => (blocked.has(person) ? [] : person)),
    ...yieldedBy(granted),
  };
}

function yieldedBy<U extends Holder>(granted: readonly Claim<U>[]): Pick<Claims<U>, 'yieldedNames' | 'yieldedEmails'> {
  const names = new Set(granted.map(({ person }) => person.username));
  const emails = new Set(granted.map(emailOf));
  const olds = granted.flatMap((claim) => (claim.user ? { claim, user: claim.user } : []));
  return {
    yieldedNames: olds.flatMap(({ claim, user }) =>
      user.username !== claim.person.username && names.has(user.username) ? user.id : [],
    ),
    yieldedEmails: olds.flatMap(({ claim, user }) =>
      user.email !== null && user.email !== emailOf(claim) && emails.has(user.email) ? user.id : [],
    ),
  };
}
