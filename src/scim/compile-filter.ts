import { type Attribute, findAttribute, type Store } from './attribute.js';
import { customWhere, decided, presentAt, storeWhere, type Test, type Where } from './conditions.js';
import { coreAttributes } from './document.js';
import { matches } from './match.js';
import type { Filter } from './parse-filter.js';
import type { AttributePath } from './paths.js';
import { invalidFilter } from './refusals.js';
import { customSchema, type ResourceType } from './schemas.js';

/** Attributes whose conditions follow from no place of a value, by their paths in lower case. */
export type SpecialConditions = Readonly<Record<string, (test: Test) => Where>>;

/** A filter of one attribute. */
type Tested = Extract<Filter, { kind: 'present' | 'compare' }>;

const testOf = (filter: Tested): Test =>
  filter.kind === 'present'
    ? { operator: 'pr', operand: null, text: filter.path.text }
    : { operator: filter.operator, operand: filter.operand, text: filter.path.text };

function attributeAt(type: ResourceType, { schema, name, text }: AttributePath): Attribute {
  const extension = type.extensions.find(({ urn }) => urn === schema);
  const isOther = schema !== undefined && schema !== type.schema.urn;
  const attributes = isOther ? (extension?.attributes ?? []) : coreAttributes(type);
  const attribute = findAttribute(attributes, name);
  if (!attribute) throw invalidFilter(`${type.name} does not have the attribute ${text}`);
  return attribute;
}

const cannotBeFiltered = (text: string) => invalidFilter(`Resources cannot be filtered by ${text}`);

/** A condition on an entry of a list, by the type of the entry. */
type EntryCondition = (type: string, places: Readonly<Record<string, Store>>) => Where;

/** The resources with an entry that meets a condition. */
function someEntry({ stores = {}, parts = [], standards = {} }: Attribute, condition: EntryCondition): Where {
  return {
    OR: Object.entries(stores).map(([type, places]) => {
      const own = Object.entries(places).filter(([name]) => !Object.hasOwn(standards, name));
      const present = own.map(([name, store]) => presentAt(store, findAttribute(parts, name) as Attribute));
      return { AND: [{ OR: present }, condition(type, places)] };
    }),
  };
}

/** The condition of a test on a part of an entry. */
function partWhere(attribute: Attribute, name: string, filter: Tested, test: Test): EntryCondition {
  const part = findAttribute(attribute.parts ?? [], name);
  if (!part) throw invalidFilter(`${attribute.name} does not have the sub-attribute ${name}`);
  const path = { schema: undefined, name, sub: undefined, text: name };
  const isTrue = (entry: object): boolean => matches({ ...filter, path }, entry);
  return (type, places) => {
    const store = places[part.name];
    if (!store) return decided(isTrue({ type }));
    const standard = attribute.standards?.[part.name];
    if (standard === undefined) return storeWhere(store, test, part);
    // only the opposite of the standard is stored
    const isOpposite = presentAt(store, part);
    return {
      OR: [
        { AND: [decided(isTrue({ [part.name]: !standard })), isOpposite] },
        { AND: [decided(isTrue({ [part.name]: standard })), { NOT: isOpposite }] },
      ],
    };
  };
}

function entryWhere(attribute: Attribute, filter: Filter): EntryCondition {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => entryWhere(attribute, part));
      const key = filter.kind === 'and' ? 'AND' : 'OR';
      return (type, places) => ({ [key]: parts.map((part) => part(type, places)) });
    }
    case 'not': {
      const part = entryWhere(attribute, filter.part);
      return (type, places) => ({ NOT: part(type, places) });
    }
    case 'within':
      throw invalidFilter('A value filter cannot contain another one');
    default:
      return partWhere(attribute, filter.path.name, filter, testOf(filter));
  }
}

function testWhere(type: ResourceType, filter: Tested, special: SpecialConditions): Where {
  const { path } = filter;
  const test = testOf(filter);
  if (path.schema === customSchema.urn) return customWhere(path.name, test, true);
  const attribute = attributeAt(type, path);
  const { name, parts, store, stores, isMultiValued } = attribute;
  const own =
    special[
      [name, path.sub]
        .filter((part) => part !== undefined)
        .join('.')
        .toLowerCase()
    ];
  if (own) return own(test);
  const part = findAttribute(parts ?? [], path.sub ?? (isMultiValued ? 'value' : ''));
  if (parts && !part) throw cannotBeFiltered(path.text);
  if (stores) return someEntry(attribute, partWhere(attribute, (part as Attribute).name, filter, test));
  const tested = store || !part ? attribute : part;
  const place = tested.store;
  if (!place || tested.isDerived) throw cannotBeFiltered(path.text);
  return storeWhere(place, test, part ?? attribute);
}

/** The filter of the query compiler for a filter of SCIM. Throws `invalidFilter` with the attribute that cannot be filtered. */
export function compileFilter(type: ResourceType, filter: Filter, special: SpecialConditions): Where {
  switch (filter.kind) {
    case 'and':
      return { AND: filter.parts.map((part) => compileFilter(type, part, special)) };
    case 'or':
      return { OR: filter.parts.map((part) => compileFilter(type, part, special)) };
    case 'not':
      return { NOT: compileFilter(type, filter.part, special) };
    case 'within': {
      const attribute = attributeAt(type, filter.path);
      if (attribute.stores) return someEntry(attribute, entryWhere(attribute, filter.filter));
      return compileFilter(type, within(attribute, filter), special);
    }
    default:
      return testWhere(type, filter, special);
  }
}

/** `members[value eq "1"]` as `members.value eq "1"`, which says the same for a single test. */
function within({ name }: Attribute, { filter, path }: Extract<Filter, { kind: 'within' }>): Filter {
  if (filter.kind === 'or')
    return {
      kind: 'or',
      parts: filter.parts.map((part) => within({ name } as Attribute, { kind: 'within', filter: part, path })),
    };
  if ((filter.kind !== 'compare' && filter.kind !== 'present') || filter.path.sub !== undefined)
    throw cannotBeFiltered(`${name}[...]`);
  return { ...filter, path: { ...path, sub: filter.path.name, text: `${path.text}.${filter.path.name}` } };
}
