/** The columns of a user or group that SCIM attributes stand for, by the names of the contract. */
export type Column = 'username' | 'firstName' | 'lastName' | 'email' | 'enabled' | 'name';

/** The place of a value: a field of the contract's representation, or a custom attribute of this name. */
export type Store = { field: Column } | { attribute: string };

/** An attribute of a resource: its definition by RFC 7643 section 7, and where the core has its value. */
export interface Attribute {
  readonly name: string;
  readonly description: string;
  /** default: `string` */
  readonly type?: 'string' | 'boolean' | 'complex' | 'dateTime' | 'reference';
  readonly isMultiValued?: true;
  readonly isRequired?: true;
  readonly isCaseExact?: true;
  /** default: `readWrite` */
  readonly mutability?: 'readOnly' | 'writeOnly' | 'immutable';
  /** default: `default` */
  readonly returned?: 'always' | 'never' | 'request';
  readonly uniqueness?: 'server' | 'global';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly parts?: readonly Attribute[];
  /** of a simple attribute */
  readonly store?: Store;
  /** whether answers derive a value if none is stored, so that it cannot be filtered by */
  readonly isDerived?: true;
  /** of a list with one entry per type: where the values of an entry are, by its type and the names of its parts */
  readonly stores?: Readonly<Record<string, Readonly<Record<string, Store>>>>;
  /** booleans of an entry that are not stored, by the names of their parts: only the opposite is */
  readonly standards?: Readonly<Record<string, boolean>>;
}

/** The attribute of this name, in any case. */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const lower = name.toLowerCase();
  return attributes.find((one) => one.name.toLowerCase() === lower);
};

/** The definition of an attribute as `Schemas` answers it. */
export const definitionOf = (attribute: Attribute): object => {
  const { name, description, type = 'string', parts, canonicalValues, referenceTypes } = attribute;
  return {
    name,
    type,
    multiValued: attribute.isMultiValued ?? false,
    description,
    required: attribute.isRequired ?? false,
    ...(type !== 'complex' && type !== 'boolean' && { caseExact: attribute.isCaseExact ?? false }),
    mutability: attribute.mutability ?? 'readWrite',
    returned: attribute.returned ?? 'default',
    ...(type !== 'complex' && type !== 'boolean' && { uniqueness: attribute.uniqueness ?? 'none' }),
    ...(canonicalValues && { canonicalValues }),
    ...(referenceTypes && { referenceTypes }),
    ...(parts && { subAttributes: parts.map(definitionOf) }),
  };
};
