import { z } from 'zod';
import { limit } from '../../../config/limits.js';
import { isObject } from '../../core/json.js';
import { invalid } from '../../core/refusal.js';
import {
  entryName,
  flag,
  type Input,
  int,
  listUpTo,
  representation,
  shortText,
  text,
  texts,
  textUpTo,
} from '../../core/shape.js';
import type { Author, AuthorNames } from '../applied/author-names.js';
import type { Desired } from './comparison.js';
import { requireFewUsers } from './current.js';
import type { LastChange, PlannedChange } from './describe.js';
import { type Json, kindsWithMode, listOf, modes } from './kinds.js';
import { type NamedObject, objectKinds } from './objects.js';
import type { Plan } from './plan.js';
import { withUnknowns } from './unknown-values.js';

/** References of a file: a secret for each of its objects. */
const mostUnknown = limit('Objects', 'Unknown values of a plan', 10_000, 'values');

const content = z.record(entryName, z.unknown());
const modeByKind = z.partialRecord(z.enum(kindsWithMode), z.enum(modes));

/** A value of `desired` that is unknown before the apply. */
const RealmUnknownValue = representation('RealmUnknownValue', {
  /** its path in `desired` */
  path: texts,
  /** the text in the file in its place, such as `${env:SHOP_SECRET}` */
  reference: text,
});

/** Names of objects in the input of a plan. */
const mostNamed = limit('Objects', 'Targets of a plan', 1000, 'objects');

/** An object by its kind and its name, as in the changes of a plan. */
const RealmObjectName = representation('RealmObjectName', { kind: z.enum(objectKinds), key: text });

/** Rules of `lifecycle` of a plan. */
const mostRules = limit('Objects', 'Objects with a `lifecycle` of a plan', 10_000, 'objects');

/** Maximum fields that keep the realm's values. */
const mostIgnored = limit('Objects', 'Fields in `ignoreChanges` of an object', 100, 'fields');

/** A rule for plans about one object. */
const RealmLifecycleRule = representation('RealmLifecycleRule', {
  kind: z.enum(objectKinds),
  key: text,
  /** whether a plan that deletes the object is refused */
  preventDestroy: flag,
  /** fields that keep the realm's values, such as `attributes.color` */
  ignoreChanges: listUpTo(textUpTo(1000), mostIgnored),
});

/** The desired state of a realm: a file, its mode for each kind of objects, and the limits of the changes. */
export const RealmPlanInput = representation('RealmPlanInput', {
  desired: content,
  modes: modeByKind,
  /** values that a plan does not compare, and the digest of a plan does not have */
  unknownValues: listUpTo(RealmUnknownValue, mostUnknown),
  /** the objects that may change, with the objects that they need; default: all */
  targets: listUpTo(RealmObjectName, mostNamed),
  /** objects that are not deleted, and fields that are not changed */
  lifecycle: listUpTo(RealmLifecycleRule, mostRules),
  /** the digest of the plan to carry out */
  expectedDigest: text,
  /** how many objects may be deleted; 0 by default */
  allowDeletes: int,
  /** origin of the file, such as the URL of a repository */
  source: textUpTo(1000),
  /** the version of the file, such as a commit */
  revision: shortText,
  /** the ID under which others can follow the progress of the apply; a new one for each */
  progressId: shortText,
});

/** The field with the former name of an object. */
const formerName = 'renamedFrom';

/** Whether a file has any former name. */
const isRenaming = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(isRenaming)
    : isObject(value) && (Object.hasOwn(value, formerName) || Object.values(value).some(isRenaming));

/**
 * Removes the former names from a file. They are found in objects of lists and in the realm. Maps such as attributes
 * are left out, because they can have an entry of any name.
 */
function withoutFormerNames(value: unknown, names: Map<string, string>, path = '', isNamed = true): unknown {
  const below = (key: string | number) => (path === '' ? `${key}` : `${path}.${key}`);
  if (Array.isArray(value)) return value.map((item, index) => withoutFormerNames(item, names, below(index)));
  if (!isObject(value)) return value;
  const former = value[formerName];
  if (isNamed && typeof former === 'string') names.set(path, former);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isNamed || name !== formerName)
      .map(([name, item]) => [name, withoutFormerNames(item, names, below(name), false)]),
  );
}

/** Refuses a URL with a username or password, because all viewers of the realm can read it. */
function requireNoLogin(source: string): void {
  if (!/^https?:/i.test(source) || !URL.canParse(source)) return;
  const { username, password } = new URL(source);
  if (username !== '' || password !== '') throw invalid('`source` must not contain a username or password', 'source');
}

/** Whether some values of a file are unknown to a plan. */
export const hasUnknownValues = ({ unknownValues = [] }: Input<typeof RealmPlanInput>): boolean =>
  unknownValues.length > 0;

/** The file of an input as a plan sees it: without the unknown values. Throws the errors of `desiredOf`. */
export function desiredWithUnknowns(input: Input<typeof RealmPlanInput>): Desired {
  const desired = desiredOf(input);
  const unknown = (input.unknownValues ?? []).map(({ path = [], reference = '' }) => ({ path, reference }));
  return { ...desired, file: withUnknowns(desired.file, unknown), unknown };
}

/** The file of an input, with its former names separated. Throws `invalid` without a file. */
export function desiredOf({ desired, modes: given, source, ...rules }: Input<typeof RealmPlanInput>): Desired {
  if (source !== undefined) requireNoLogin(source);
  if (!desired) throw invalid('`desired` is required: the file of the realm, or a part of it', 'desired');
  requireFewUsers(listOf(desired, 'users').length, 'The file');
  const formerNames = new Map<string, string>();
  const file = isRenaming(desired) ? (withoutFormerNames(desired, formerNames) as Json) : desired;
  const targets = rules.targets?.map((target, index) => objectOf(target, `targets.${index}`));
  const lifecycle = rules.lifecycle?.map((rule, index) => ({
    ...objectOf(rule, `lifecycle.${index}`),
    preventDestroy: rule.preventDestroy === true,
    ignoreChanges: rule.ignoreChanges ?? [],
  }));
  return { file, modes: given ?? {}, formerNames, ...(targets && { targets }), ...(lifecycle && { lifecycle }) };
}

/** The object that a part of an input names. Throws `invalid` without a kind or a name. */
function objectOf({ kind, key }: Partial<NamedObject>, place: string): NamedObject {
  if (kind !== undefined && key !== undefined) return { kind, key };
  const missing = kind === undefined ? 'kind' : 'key';
  throw invalid(`\`${missing}\` of an object is required`, `${place}.${missing}`);
}

/** The author of a change, by IDs, and by name if the caller may know it. */
export interface ShownAuthor extends AuthorNames {
  realmId: string;
  clientId: string;
  userId: string;
}

/** The author of a change, as in admin events. */
export const encodeAuthor = ({
  authRealmId,
  authClientId,
  authUserId,
  username,
  serviceAccountClientId,
}: Author & AuthorNames): ShownAuthor => ({
  realmId: authRealmId,
  clientId: authClientId,
  userId: authUserId,
  ...(username !== undefined && { username }),
  ...(serviceAccountClientId !== undefined && { serviceAccountClientId }),
});

const encodeLastChange = ({ lastChange }: { lastChange: LastChange | undefined }) =>
  lastChange && { lastChangedAt: lastChange.at, lastChangedBy: encodeAuthor(lastChange) };

/** The change of an object in a plan, as REST and GraphQL show it. */
export interface ShownChange extends Omit<PlannedChange, 'id' | 'path' | 'object' | 'lastChange'> {
  /** milliseconds since 1970; undefined if there is no admin event */
  lastChangedAt?: number;
  lastChangedBy?: ShownAuthor;
  /** undefined for an object that does not exist yet */
  id: string | undefined;
  path: string | undefined;
}

/** A plan as both surfaces show it. */
export interface ShownPlan extends Omit<Plan, 'changes'> {
  changes: ShownChange[];
}

const withoutId = <C extends Pick<PlannedChange, 'fields'>>(change: C): C => ({
  ...change,
  fields: change.fields.filter(({ path }) => path[0] !== 'id'),
});

const headOf = ({ digest, summary, warnings, omitted }: Omit<Plan, 'changes'>): Omit<ShownPlan, 'changes'> => ({
  digest,
  summary,
  warnings,
  ...(omitted !== undefined && { omitted }),
});

/** A plan in the form in which it is shown. The IDs of objects that it would create are not known yet. */
export const encodePlan = ({ changes, ...plan }: Plan): ShownPlan => ({
  ...headOf(plan),
  changes: changes.map(({ object: _, id, path, lastChange, ...change }) => ({
    ...(change.action === 'CREATE'
      ? { ...withoutId(change), id: undefined, path: undefined }
      : { ...change, id, path }),
    ...encodeLastChange({ lastChange }),
  })),
});

/** An applied plan in the form in which it is shown. */
export const encodeApplied = ({ changes, ...plan }: Plan): ShownPlan => ({
  ...headOf(plan),
  changes: changes.map(({ object: _, lastChange: __, ...change }) => change),
});
