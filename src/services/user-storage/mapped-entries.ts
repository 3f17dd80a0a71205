import { type Filter, OrFilter } from 'ldapts';
import { unescaped } from '../ldap/dn.js';
import { bytesOf, comparableDn, type Entry, textOf, textsOf } from '../ldap/entry.js';
import { allOf, equals, parsedFilter } from '../ldap/filter.js';
import { knowsPages } from '../ldap/people.js';
import { pagesOf, wholeOf } from '../ldap/search.js';
import type { Search } from '../ldap/search-request.js';
import { type Config, listOf, one } from './config.js';
import type { Mapper, Storage } from './storage.js';

/** How a mapper of groups or roles finds them in the directory. */
export interface MappedKind {
  kind: 'group' | 'role';
  base: string;
  nameAttribute: string;
  memberAttribute: string;
  memberType: 'DN' | 'UID';
  objectClasses: readonly string[];
  attributes: readonly string[];
  mode: 'IMPORT' | 'LDAP_ONLY' | 'READ_ONLY';
  filter: string | undefined;
}

const isMode = (mode: string | undefined): mode is MappedKind['mode'] =>
  mode === 'IMPORT' || mode === 'LDAP_ONLY' || mode === 'READ_ONLY';

/** The settings of a mapper of groups or roles; undefined for other mappers. */
export function mappedKind({ providerId, config }: Mapper): MappedKind | undefined {
  const kind = providerId === 'group-ldap-mapper' ? 'group' : providerId === 'role-ldap-mapper' ? 'role' : undefined;
  if (kind === undefined) return undefined;
  const classes = listOf(config, `${kind}.object.classes`);
  const mode = one(config, 'mode');
  return {
    kind,
    base: one(config, `${kind}s.dn`) ?? '',
    nameAttribute: one(config, `${kind}.name.ldap.attribute`) ?? 'cn',
    memberAttribute: one(config, 'membership.ldap.attribute') ?? 'member',
    memberType: one(config, 'membership.attribute.type') === 'UID' ? 'UID' : 'DN',
    objectClasses: classes.length > 0 ? classes : ['groupOfNames'],
    attributes: kind === 'group' ? listOf(config, 'mapped.group.attributes') : [],
    mode: isMode(mode) ? mode : 'READ_ONLY',
    filter: one(config, `${kind}s.ldap.filter`),
  };
}

/**
 * The settings of a group or role mapper in this storage. If users are not imported, they have only the memberships of
 * the directory.
 */
export function kindIn({ imports }: Storage, mapper: Mapper): MappedKind | undefined {
  const kind = mappedKind(mapper);
  return kind?.mode === 'IMPORT' && !imports ? { ...kind, mode: 'READ_ONLY' } : kind;
}

/** A group of the directory with its name and members. */
export interface MappedEntry {
  dn: string;
  name: string;
  members: readonly string[];
  attributes: Record<string, string[]>;
  /** security identifier, in hexadecimal; only in Active Directory */
  sid?: string | undefined;
}

const sidAttribute = 'objectSid';

const entryFrom = (kind: MappedKind, entry: Entry): MappedEntry | undefined => {
  const name = textOf(entry, kind.nameAttribute)?.trim();
  if (!name) return undefined;
  return {
    dn: comparableDn(entry.dn),
    name,
    members: textsOf(entry, kind.memberAttribute).map((member) =>
      kind.memberType === 'DN' ? comparableDn(member) : member.toLowerCase(),
    ),
    attributes: Object.fromEntries(kind.attributes.map((name) => [name, textsOf(entry, name)])),
    sid: bytesOf(entry, sidAttribute)?.toString('hex'),
  };
};

/**
 * The group that a DN in `memberOf` names, with its name from the DN. Undefined for a group outside of the mapper's
 * base, or one that is named by another attribute.
 */
export function entryOfDn({ base, nameAttribute }: MappedKind, dn: string): MappedEntry | undefined {
  const [, attribute, value] = /^\s*([^=]+?)\s*=\s*((?:\\.|[^,\\])*)/s.exec(dn) ?? [];
  if (!value || attribute?.toLowerCase() !== nameAttribute.toLowerCase()) return undefined;
  const comparable = comparableDn(dn);
  if (!comparable.endsWith(`,${comparableDn(base)}`)) return undefined;
  return { dn: comparable, name: unescaped(value).trim(), members: [], attributes: {} };
}

/** The wanted groups: with one of these names, or with one of these members. */
export interface Wanted {
  names?: readonly string[];
  members?: readonly string[];
  /** finds groups with one of these security identifiers as well as groups with the members */
  sids?: readonly string[];
}

const oneOf = (attribute: string, values: readonly string[] | undefined): Filter | undefined =>
  values && new OrFilter({ filters: values.map((value) => equals(attribute, value)) });

/** A filter for groups with one of the members, and for primary groups. */
function havingMembers(kind: MappedKind, { members, sids = [] }: Wanted): Filter | undefined {
  if (members === undefined) return undefined;
  return new OrFilter({
    filters: [
      ...members.map((member) => equals(kind.memberAttribute, member)),
      ...sids.map((sid) => equals(sidAttribute, Buffer.from(sid, 'hex'))),
    ],
  });
}

function searchOf(kind: MappedKind, wanted: Wanted, withMembers: boolean, withSid: boolean): Search {
  const classes = kind.objectClasses.map((name) => equals('objectClass', name));
  return {
    base: kind.base,
    scope: 'sub',
    filter: allOf([
      ...classes,
      kind.filter === undefined ? undefined : parsedFilter(kind.filter),
      oneOf(kind.nameAttribute, wanted.names),
      havingMembers(kind, wanted),
    ]),
    attributes: [
      kind.nameAttribute,
      ...(withMembers ? [kind.memberAttribute] : []),
      ...(withSid ? [sidAttribute] : []),
      ...kind.attributes,
    ],
    binary: withSid ? [sidAttribute] : [],
  };
}

const pageSize = 500;

/**
 * The groups of the directory that a mapper manages: all of them with their members, or the wanted ones without
 * members.
 */
export async function mappedEntries(
  { directory, config, people }: Storage,
  kind: MappedKind,
  wanted?: Wanted,
  withMembers = wanted === undefined,
): Promise<MappedEntry[]> {
  const search = searchOf(kind, wanted ?? {}, withMembers, people.isActiveDirectory);
  const pages = knowsPages(config as Config) ? pagesOf : wholeOf;
  const found: MappedEntry[] = [];
  for await (const page of pages(directory, search, pageSize)) {
    found.push(...page.flatMap((entry) => entryFrom(kind, entry) ?? []));
  }
  return found;
}
