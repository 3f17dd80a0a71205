import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { dialect } from '../support/database.js';
import { isThorough, sampled } from '../support/sample.js';

// What a query asks of each field of each object, to count its statements.

/** Arguments of fields that cannot be asked for without. */
const argumentsOf: Readonly<Record<string, string>> = {
  'Client.certificate': '(purpose: "saml.signing")',
  'Realm.authenticationFlow': '(alias: "browser")',
  'Realm.client': '(clientId: "a-app-01")',
  'Realm.clientDescriptionConvert': '(document: { text: "{\\"clientId\\": \\"new\\"}" })',
  'Realm.clientScope': '(name: "a-scope-01")',
  'Realm.componentTypes': '(providerType: KEY_PROVIDER)',
  'Realm.group': '(path: "/a-group-01")',
  'Realm.identityProvider': '(alias: "a-partner-01")',
  'Realm.loginEventCounts': '(from: "2026-01-01T00:00:00Z", interval: DAY, count: 2)',
  'Realm.standardTexts': '(locale: "en")',
  'Realm.user': '(username: "a-user-01")',
};
/** What is asked of fields whose whole selection is too costly in a list of realms. */
const partsOf: Readonly<Record<string, string>> = {
  'Realm.clientPolicies': 'clientPolicies { name conditions { type settings { hosts } } }',
  'Realm.clientProfiles': 'clientProfiles { name executors { type settings { configuresClients } } }',
};
/** Fields that are made for one object: by requests to other servers, as a token, or as a file. Their cost limits lists. */
export const beyond = new Set([
  'Client.installation',
  'Client.nodesAvailability',
  'Client.evaluateScopes',
  'Client.evaluatePolicies',
  'Realm.export',
  'Realm.plan',
  // ask another server, and cost like other fields
  'Realm.identityProviderSettings',
  'Realm.ldapCapabilities',
  'RealmApply.revertPlan',
  // as many statements as types of objects: test/events/bounded.test.ts
  'AdminEvent.resource',
]);

export type Field = GraphQLField<unknown, unknown>;

export const bare = (field: Field) => getNamedType(field.type);
export const needsArguments = (field: Field) =>
  field.args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
export const isConnection = (type: unknown): type is GraphQLObjectType =>
  isObjectType(type) && type.name.endsWith('Connection');

export type Fields = GraphQLObjectType | GraphQLInterfaceType;

export const nodeTypeOf = (connection: GraphQLObjectType): Fields => {
  const edge = getNamedType(connection.getFields().edges?.type ?? connection) as GraphQLObjectType;
  return getNamedType(edge.getFields().node?.type ?? edge) as Fields;
};

/** Everything of an object that needs no arguments and leads to no list and no other type that has an id. */
function leavesOf(type: Fields, depth = 2): string {
  const parts = Object.values(type.getFields()).flatMap((field) => {
    const inner = bare(field);
    if (needsArguments(field) || field.args.length > 0 || beyond.has(`${type.name}.${field.name}`)) return [];
    if (isLeafType(inner)) return [field.name];
    if (!(isObjectType(inner) || isInterfaceType(inner)) || isConnection(inner) || depth === 0) return [];
    return 'id' in inner.getFields() ? [`${field.name} { id }`] : [`${field.name} { ${leavesOf(inner, depth - 1)} }`];
  });
  return parts.length > 0 ? parts.join(' ') : '__typename';
}

/** What a query asks of a field. */
function selectionOf(field: Field, given = ''): string {
  const inner = bare(field);
  if (isLeafType(inner)) return field.name + given;
  if (isConnection(inner)) {
    const own = 'id' in nodeTypeOf(inner).getFields() ? 'id' : '__typename';
    return `${field.name}(first: 3) { totalCount edges { node { ${own} } } }`;
  }
  if (!(isObjectType(inner) || isInterfaceType(inner))) return `${field.name}${given} { __typename }`;
  const leaves = 'id' in inner.getFields() ? 'id' : leavesOf(inner);
  return `${field.name}${given} { ${leaves} }`;
}

/** Whether a field is asked of an interface already. */
const isShared = (type: Fields, name: string) =>
  isObjectType(type) && type.getInterfaces().some((one) => one.name !== 'Node' && name in one.getFields());

/** What a query can ask of a type, field by field: the name of the field, and what is asked of it. */
export function fieldsOf(type: Fields): [string, string][] {
  return Object.values(type.getFields()).flatMap((field): [string, string][] => {
    const name = `${type.name}.${field.name}`;
    const given = argumentsOf[name];
    const isLeftOut = isShared(type, field.name) || beyond.has(name) || (needsArguments(field) && given === undefined);
    return isLeftOut ? [] : [[name, partsOf[name] ?? selectionOf(field, given)]];
  });
}

/** How many fields a query of `grouped` asks for: a query for each field repeats the same work hundreds of times. */
const together = isThorough ? 1 : 14;

/** On SQLite all cases, and on PostgreSQL, where the statements are the same, `count` of them. */
export const fewerOnPostgresql = <T>(cases: readonly T[], count: number): readonly T[] =>
  dialect === 'sqlite' ? cases : sampled(cases, count);

/** The fields in groups, each with the name and the selection of all of its fields: alone in a thorough run. */
export function grouped(fields: readonly [name: string, selection: string][]): [string, string][] {
  const groups: [string, string][] = [];
  for (let at = 0; at < fields.length; at += together) {
    const group = fields.slice(at, at + together);
    const of = (part: 0 | 1): string => group.map((field) => field[part]).join(' ');
    groups.push([of(0), of(1)]);
  }
  return groups;
}
