import { type Filter, OrFilter, PresenceFilter, SubstringFilter } from 'ldapts';
import { ownMember } from '../core/json.js';
import { type Config, flagOf, listOf, one } from '../user-storage/config.js';
import { isBinaryId } from './entry.js';
import { allOf, equals, parsedFilter } from './filter.js';
import type { Search } from './search-request.js';

/** The attributes that differ between vendors of directories. */
interface Vendor {
  id: string;
  username: string;
  created: string;
  modified: string;
}

const plain: Vendor = { id: 'entryUUID', username: 'uid', created: 'createTimestamp', modified: 'modifyTimestamp' };

const vendors: Readonly<Record<string, Vendor>> = {
  ad: { id: 'objectGUID', username: 'cn', created: 'whenCreated', modified: 'whenChanged' },
  rhds: { ...plain, id: 'nsuniqueid' },
  tivoli: { ...plain, id: 'uniqueidentifier' },
  edirectory: { ...plain, id: 'guid' },
};

/** The place and form of a storage's users in its directory. */
export interface People {
  isActiveDirectory: boolean;
  base: string;
  /** DN of the entry below which new users are created */
  createBase: string;
  scope: 'one' | 'sub';
  objectClasses: readonly string[];
  username: string;
  rdn: string;
  id: string;
  modified: string;
  filter: Filter;
}

/** The place and form of the users by the settings of a storage. */
export function peopleOf(config: Config): People {
  const vendor = ownMember(vendors, one(config, 'vendor') ?? '') ?? plain;
  const objectClasses = listOf(config, 'userObjectClasses');
  const custom = one(config, 'customUserSearchFilter');
  const username = one(config, 'usernameLDAPAttribute') ?? vendor.username;
  const classes = (objectClasses.length > 0 ? objectClasses : ['person']).map((name) => equals('objectClass', name));
  const base = one(config, 'usersDn') ?? '';
  const relative = one(config, 'relativeCreateDn')?.trim();
  return {
    isActiveDirectory: one(config, 'vendor') === 'ad',
    base,
    createBase: relative === undefined ? base : `${relative.replace(/,\s*$/, '')},${base}`,
    scope: one(config, 'searchScope') === '1' ? 'one' : 'sub',
    objectClasses,
    username,
    rdn: one(config, 'rdnLDAPAttribute') ?? username,
    id: one(config, 'uuidLDAPAttribute') ?? vendor.id,
    modified: vendor.modified,
    filter: allOf([...classes, custom === undefined ? undefined : parsedFilter(custom)]),
  };
}

/** A search for users that also match this filter. */
export const searchPeople = (
  people: People,
  attributes: readonly string[],
  binary: readonly string[],
  filter?: Filter,
): Search => ({
  base: people.base,
  scope: people.scope,
  filter: allOf([people.filter, filter]),
  attributes,
  binary: isBinaryId(people.id) ? [...binary, people.id] : binary,
});

/** A filter for an attribute that matches a text with asterisks, each of which stands for any characters. */
function like(attribute: string, text: string): Filter {
  const [initial = '', ...others] = text.split('*');
  const final = others.pop() ?? '';
  const any = others.filter((piece) => piece !== '');
  if (`${initial}${final}` === '' && any.length === 0) return new PresenceFilter({ attribute });
  return new SubstringFilter({ attribute, initial, any, final });
}

/** A filter for users with an attribute that contains this text, or matches its asterisks. */
export const containing = (attributes: readonly string[], text: string): Filter =>
  new OrFilter({
    filters: attributes.flatMap((attribute) => [
      new SubstringFilter({ attribute, any: [text] }),
      ...(text.includes('*') ? [like(attribute, text)] : []),
    ]),
  });

/** A point in time (milliseconds since 1970) as directories write it: generalized time of RFC 4517, 3.3.13. */
export const generalizedTime = (time: number): string =>
  `${new Date(time).toISOString().replace(/[-:T]/g, '').slice(0, 14)}.0Z`;

/** Whether searches can request pages. */
export const knowsPages = (config: Config): boolean => flagOf(config, 'pagination', true);
