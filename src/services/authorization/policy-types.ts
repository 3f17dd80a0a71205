import { z } from 'zod';
import { flag, type Input, json, list, representation, text, texts } from '../core/shape.js';
import { policyFields } from './representation.js';

/** The kinds of subjects that a policy may name, and the list of representations that has them. */
export const subjectLists = {
  role: 'roles',
  user: 'users',
  group: 'groups',
  client: 'clients',
  'client-scope': 'clientScopes',
} as const;

export type SubjectKind = keyof typeof subjectLists;

export interface PolicyType {
  type: string;
  /** its entry in the list of providers; undefined for types that callers cannot choose */
  shown?: { name: string; group: string };
  subjects?: SubjectKind;
  /** whether a policy without subjects is refused */
  needsSubjects?: boolean;
  /** fields of the representation, by their entry in `config` */
  config: Record<string, string>;
  permission?: boolean;
}

const identity = (name: string) => ({ name, group: 'Identity Based' });

const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]));

const periods = ['dayMonth', 'month', 'year', 'hour', 'minute'].flatMap((unit) => [unit, `${unit}End`]);

/** Every type of policy and permission. Scripts from imports are stored, but never run. */
export const policyTypes: readonly PolicyType[] = [
  { type: 'role', shown: identity('Role'), subjects: 'role', config: {} },
  { type: 'user', shown: identity('User'), subjects: 'user', config: {} },
  { type: 'group', shown: identity('Group'), subjects: 'group', needsSubjects: true, config: same('groupsClaim') },
  { type: 'client', shown: identity('Client'), subjects: 'client', needsSubjects: true, config: {} },
  { type: 'client-scope', shown: identity('Client Scope'), subjects: 'client-scope', config: {} },
  {
    type: 'time',
    shown: { name: 'Time', group: 'Time Based' },
    config: { nbf: 'notBefore', noa: 'notOnOrAfter', ...same(...periods) },
  },
  { type: 'regex', shown: identity('Regex'), config: same('targetClaim', 'pattern') },
  { type: 'aggregate', shown: { name: 'Aggregated', group: 'Others' }, config: {} },
  { type: 'js', config: same('code') },
  { type: 'resource', shown: { name: 'Resource-Based', group: 'Permission' }, config: {}, permission: true },
  { type: 'scope', shown: { name: 'Scope-Based', group: 'Permission' }, config: {}, permission: true },
];

const byType = new Map(policyTypes.map((one) => [one.type, one]));

/** The definition of a type; undefined for an unknown type. */
export const policyType = (type: string): PolicyType | undefined => byType.get(type);

/** The providers of policies that the contract lists. */
export const providers = () => policyTypes.flatMap(({ type, shown }) => (shown ? [{ type, ...shown }] : []));

export const PolicyProvider = representation('PolicyProviderRepresentation', { name: text, type: text, group: text });

const subject = representation('PolicySubject', { id: text, path: text, required: flag, extendChildren: flag });

const listShapes = {
  roles: list(subject),
  groups: list(subject),
  clientScopes: list(subject),
  users: texts,
  clients: texts,
} as const;

/** The representation of policies of one type, with its own fields in place of `config`. */
function typedShape({ type, subjects, config, permission }: PolicyType) {
  const own: Record<string, z.ZodType> = Object.fromEntries(Object.values(config).map((field) => [field, text]));
  if (subjects) own[subjectLists[subjects]] = listShapes[subjectLists[subjects]];
  if (permission) own.resourceType = text;
  if (type === 'role') own.fetchRoles = flag;
  const name = type.replace(/(^|-)(\w)/g, (_match, _dash, letter: string) => letter.toUpperCase());
  // in the contract, ClientPolicyRepresentation is the name for client policies of a realm
  const prefix = type === 'client' ? 'Authorization' : '';
  return representation(`${prefix}${name}${permission ? 'Permission' : 'Policy'}Representation`, {
    ...own,
    ...policyFields,
    resourcesData: json,
    scopesData: json,
  });
}

/** The shapes of all types, by type. */
export const typedShapes: ReadonlyMap<string, ReturnType<typeof typedShape>> = new Map(
  policyTypes.map((one) => [one.type, typedShape(one)]),
);

/** A policy or permission of any type, in the form of its type. */
export const TypedPolicyRepresentation = z.union([...typedShapes.values()]);

export type Subject = Input<typeof subject>;

/** The types of permissions; all others are types of policies. */
export const permissionTypes = ['resource', 'scope'];
