import { randomBytes } from 'node:crypto';
import { flagOf, one } from '../config.js';
import type { Mapper, Storage } from '../storage.js';

/** Values of attributes of the directory, by their names. */
export type Values = Map<string, (string | Buffer)[]>;

/** The values of a user that are written to the directory. Undefined values stay unchanged there. */
export interface WrittenUser {
  /** username, address, or one of the names; null if there is none */
  field(name: string): string | null | undefined;
  attribute(name: string): readonly string[] | undefined;
  /** the full name, if a part of it is written */
  fullName: string | undefined;
  /** whether there is no entry yet: the default values of mappers count only then */
  isNew: boolean;
}

export const nameFields = ['username', 'email', 'firstName', 'lastName'] as const;
const isNameField = (name: string): boolean => nameFields.some((field) => field === name);

/** A certificate in the form of directories: its bytes (DER), from PEM with or without header and footer. */
const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');

const asBytes = ({ providerId, config }: Mapper): boolean =>
  flagOf(config, providerId === 'certificate-ldap-mapper' ? 'is.der.formatted' : 'is.binary.attribute');

/** Kinds of mappers that map one attribute of the directory each. */
const attributeMappers = new Set(['user-attribute-ldap-mapper', 'certificate-ldap-mapper']);

/** The field or attribute of users that an attribute mapper maps. */
export const fieldOf = ({ providerId, config }: Mapper): string | undefined =>
  attributeMappers.has(providerId) ? one(config, 'user.model.attribute') : undefined;

/** The fields and attributes that are read from the directory each time by these mappers. */
export const alwaysReadBy = (mappers: readonly Mapper[]): Set<string> =>
  new Set(
    mappers.flatMap((mapper) => (flagOf(mapper.config, 'always.read.value.from.ldap') ? (fieldOf(mapper) ?? []) : [])),
  );

function writeAttribute(written: Values, user: WrittenUser, mapper: Mapper): void {
  const { config } = mapper;
  const field = one(config, 'user.model.attribute') ?? '';
  const attribute = one(config, 'ldap.attribute');
  if (attribute === undefined) return;
  const value = isNameField(field) ? user.field(field) : undefined;
  const values = isNameField(field)
    ? value === undefined
      ? undefined
      : [value].filter((name) => name !== null)
    : user.attribute(field);
  if (values === undefined) return;
  const present = values.filter((text) => text.trim() !== '');
  const standard = (user.isNew ? one(config, 'attribute.default.value') : undefined) ?? blank;
  if (present.length > 0) written.set(attribute, asBytes(mapper) ? present.map(derOf) : present);
  // directories have no empty values
  else if (values.length > 0 && !asBytes(mapper)) written.set(attribute, [blank]);
  else if (flagOf(config, 'is.mandatory.in.ldap')) written.set(attribute, [standard]);
  else written.set(attribute, []);
}

/** Stands for an empty value, and for a missing value that the directory requires. */
const blank = ' ';

/** The attributes of a user for the directory, by the mappers that may write. */
export function writtenValues({ mappers }: Storage, user: WrittenUser): Values {
  const written: Values = new Map();
  for (const mapper of mappers) {
    if (flagOf(mapper.config, 'read.only')) continue;
    if (attributeMappers.has(mapper.providerId)) writeAttribute(written, user, mapper);
    else if (mapper.providerId === 'full-name-ldap-mapper' && user.fullName !== undefined) {
      written.set(one(mapper.config, 'ldap.full.name.attribute') ?? 'cn', [user.fullName.trim() || blank]);
    }
  }
  return written;
}

const random = (): string => randomBytes(24).toString('base64url');

/** The attributes that all new entries get, with `${RANDOM}` in them replaced. */
export function standardValues({ mappers }: Storage): Values {
  return new Map(
    mappers.flatMap(({ providerId, config }): [string, string[]][] => {
      const name = one(config, 'ldap.attribute.name');
      if (providerId !== 'hardcoded-ldap-attribute-mapper' || name === undefined) return [];
      return [[name, [(one(config, 'ldap.attribute.value') ?? '').replace(/\$\{RANDOM\}/g, random)]]];
    }),
  );
}
