import { z } from 'zod';
import { ownMember } from '../core/json.js';
import { invalid } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import { policyType, type Subject, type SubjectKind, subjectLists, type typedShapes } from './policy-types.js';
import type { PolicyInput } from './representation.js';

/** A subject that a policy names, by ID or by name. */
export interface SubjectReference {
  kind: SubjectKind;
  reference: string;
  strong: boolean;
  /** path of the input field that names it */
  field?: string;
}

/** A policy or permission from a request, independent of its form. Undefined fields were not given. */
export interface Rule {
  id: string | undefined;
  name: string | undefined;
  description: string | undefined;
  type: string;
  logic: 'POSITIVE' | 'NEGATIVE';
  decisionStrategy: 'AFFIRMATIVE' | 'UNANIMOUS' | 'CONSENSUS';
  subjects: SubjectReference[] | undefined;
  /** IDs or names of the policies that it applies */
  associated: string[] | undefined;
  resources: string[] | undefined;
  scopes: string[] | undefined;
  resourceType: string | undefined;
  config: Record<string, string>;
}

/** A policy in the form of its type. */
export type TypedInput = Input<NonNullable<ReturnType<(typeof typedShapes)['get']>>>;

const heading = (input: Pick<PolicyInput, 'id' | 'name' | 'description' | 'logic' | 'decisionStrategy'>) => ({
  id: input.id,
  name: input.name,
  description: input.description,
  logic: input.logic ?? 'POSITIVE',
  decisionStrategy: input.decisionStrategy ?? 'UNANIMOUS',
});

function referencesOf(kind: SubjectKind, entries: readonly (string | Subject)[] | undefined, field: string) {
  return entries?.map((entry, index): SubjectReference => {
    const at = `${field}.${index}`;
    if (typeof entry === 'string') return { kind, reference: entry, strong: false, field: at };
    const reference = entry.id ?? entry.path;
    if (reference === undefined) throw invalid(`An entry of ${field} must have an id or a path`, at);
    return { kind, reference, strong: (kind === 'group' ? entry.extendChildren : entry.required) ?? false, field: at };
  });
}

/** The rule of a policy in the form of its type. */
export function ruleOfTyped(type: string, input: TypedInput): Rule {
  const known = policyType(type);
  const fields = input as TypedInput & Record<string, unknown>;
  const config = Object.entries(known?.config ?? {}).flatMap(([entry, field]) =>
    typeof fields[field] === 'string' ? [[entry, fields[field]]] : [],
  );
  const kind = known?.subjects;
  const list = kind && subjectLists[kind];
  return {
    ...heading(input),
    type,
    subjects: kind && list && referencesOf(kind, fields[list] as Subject[] | undefined, list),
    associated: input.policies,
    resources: input.resources,
    scopes: input.scopes,
    resourceType: typeof fields.resourceType === 'string' ? fields.resourceType : undefined,
    config: Object.fromEntries(config),
  };
}

const listOf = z.array(
  z.union([z.string(), z.looseObject({ id: z.string().optional(), path: z.string().optional() })]),
);

/** The list in an entry of `config`, which is a JSON text. */
function entries(config: Record<string, string>, entry: string): (string | Subject)[] | undefined {
  const text = config[entry];
  if (text === undefined) return undefined;
  try {
    return listOf.parse(JSON.parse(text)) as (string | Subject)[];
  } catch {
    throw invalid(`\`config.${entry}\` must be a string that contains a JSON array`, `config.${entry}`);
  }
}

const texts = (config: Record<string, string>, entry: string): string[] | undefined =>
  entries(config, entry)?.map((one) => (typeof one === 'string' ? one : (one.id ?? '')));

/** The rule of a policy in the general form. Throws `invalid` for an unknown type. */
export function ruleOf(input: PolicyInput): Rule {
  const { type = '', config = {} } = input;
  const known = policyType(type);
  if (!known) throw invalid(`Policy type "${type}" not found`, 'type');
  const kind = known.subjects;
  const list = kind && subjectLists[kind];
  return {
    ...heading(input),
    type,
    subjects: kind && list && referencesOf(kind, entries(config, list), `config.${list}`),
    associated: input.policies ?? texts(config, 'applyPolicies'),
    resources: input.resources ?? texts(config, 'resources'),
    scopes: input.scopes ?? texts(config, 'scopes'),
    resourceType: config.defaultResourceType,
    config: Object.fromEntries(
      Object.entries(config).filter(([entry]) => ownMember(known.config, entry) !== undefined),
    ),
  };
}
