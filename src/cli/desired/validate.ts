import type { z } from 'zod';
import { isObject, members } from '../../services/core/json.js';
import { isKeyed, keyField, naturalKey } from '../../services/realms/files/natural-keys.js';
import { pathText } from '../../services/realms/files/path-text.js';
import { fieldsOf, realmShape, type Shape, type Step, shapeName, shapeOf } from '../../services/realms/files/shape.js';
import { RealmRepresentation } from '../../services/realms/representation.js';
import { byPosition, type Fault } from './faults.js';
import type { DesiredRealm } from './load.js';
import { nearest } from './nearest.js';
import { withoutWords, wordsOf } from './words.js';

/** The version of the contract: the files of others have fields that this service ignores when it imports them. */
const ownVersion = /^15\./;

/** The faults of the fields of a desired realm, by the shapes of the contract. */
export function validate({ realm, positionOf, secretPaths, unknownValues }: DesiredRealm): Fault[] {
  const secrets = new Set(secretPaths.map((path) => JSON.stringify(path)));
  const unknown = new Set(unknownValues.map(({ path }) => JSON.stringify(path)));
  const shape = realmShape();
  const { realm: plain, faults } = withoutWords(realm, shape);
  const { keycloakVersion } = members(plain);
  const isOfOther = typeof keycloakVersion === 'string' && !ownVersion.test(keycloakVersion);
  const placed = (path: readonly Step[], sentence: string, severity: Fault['severity'] = 'error'): Fault => ({
    severity,
    message: `\`${pathText(realm, path, secrets)}\` ${sentence}`,
    position: positionOf(path),
    path,
  });
  const unknownField = (path: readonly Step[]): Fault => {
    const holder = shapeAt(path.slice(0, -1));
    const likely = nearest(String(path.at(-1)), [...(fieldsOf(holder) ?? []), ...wordsOf(holder)]);
    const owner = shapeName(holder) ?? 'this object';
    const hint = likely === undefined ? '' : `: did you mean \`${likely}\`?`;
    return placed(path, `is not a field of ${owner}${hint}`, isOfOther ? 'warning' : 'error');
  };
  const { error } = RealmRepresentation.safeParse(plain);
  const ofShape = (error?.issues ?? []).flatMap((issue) => {
    const path = issue.path as Step[];
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField([...path, key]));
    return unknown.has(JSON.stringify(path)) ? [] : [placed(path, sentenceOf(issue, shapeAt(path)))];
  });
  const unnamed = withoutKey(plain, shape).map(({ path, field }) => placed(path, `must have ${field}`));
  const ofWords = faults.map(({ path, message }) => placed(path, message));
  return [...ofWords, ...ofShape, ...unnamed].sort(byPosition);
}

/** Objects of keyed lists without a key, which cannot be compared with the realm. */
function withoutKey(value: unknown, shape: Shape | undefined, path: Step[] = []): { path: Step[]; field: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, item]) => {
    const key: Step = isList ? Number(name) : name;
    const below = shapeOf(shape, key);
    const at = [...path, key];
    const lacksKey = isList && isKeyed(below) && isObject(item) && naturalKey(below, item) === undefined;
    return [...(lacksKey ? [{ path: at, field: keyField(below) }] : []), ...withoutKey(item, below, at)];
  });
}

const shapeAt = (path: readonly Step[]): Shape | undefined =>
  path.reduce<Shape | undefined>((shape, step) => shapeOf(shape, step), realmShape());

const typeNames: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

/** The sentence of a fault, without its value. */
function sentenceOf(issue: z.core.$ZodIssue, shape: Shape | undefined): string {
  if (issue.code === 'invalid_type') {
    const got = /received (\w+)/.exec(issue.message)?.[1] ?? '';
    return `must be ${typeNames[issue.expected] ?? issue.expected}${got in typeNames ? `, got ${typeNames[got]}` : ''}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_big') return `must be at most ${shape?.maximum ?? issue.maximum}`;
  if (issue.code === 'too_small') return `must be at least ${shape?.minimum ?? issue.minimum}`;
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
}
