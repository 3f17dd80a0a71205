import { z } from 'zod';
import { isObject } from '../../services/core/json.js';
import { kindsWithMode, modes } from '../../services/realms/desired/kinds.js';
import { isKeyed } from '../../services/realms/files/natural-keys.js';
import { type Shape, type Step, shapeName, shapeOf } from '../../services/realms/files/shape.js';
import { objectNameForm, parseObjectName } from './object-name.js';

// Words of desired realms that are not in the contract. Plan and apply receive them unchanged.

/** The field of a realm with the options of an apply: `{ "modes": { "clients": "FULL" }, "lifecycle": { … } }`. */
export const settingsWord = '$realmgate';
/** The field of an object in an overlay that removes the object with its natural key. */
export const removeWord = '$remove';
/** The field of an object with its current natural key in the realm, if the file gives it another one. */
export const renamedWord = 'renamedFrom';

/** The words that an object of a shape may have. `$remove` is not included, because overlays consume it. */
export function wordsOf(shape: Shape | undefined): string[] {
  const name = shapeName(shape) ?? '';
  return [
    ...(name === 'RealmRepresentation' ? [settingsWord] : []),
    ...(isKeyed(shape) || name === 'RealmRepresentation' ? [renamedWord] : []),
  ];
}

interface FaultOfWord {
  path: Step[];
  message: string;
}

/** The realm without words, in the form of the contract, and the faults of the words. */
export function withoutWords(realm: Record<string, unknown>, shape: Shape): { realm: unknown; faults: FaultOfWord[] } {
  const faults: FaultOfWord[] = [];
  const strip = (value: unknown, at: Shape | undefined, path: Step[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => strip(item, shapeOf(at, 0), [...path, index]));
    if (!isObject(value)) return value;
    const words = wordsOf(at);
    const kept: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      if (words.includes(key)) faults.push(...faultsOfWord(key, item, [...path, key]));
      else kept[key] = strip(item, shapeOf(at, key), [...path, key]);
    }
    return kept;
  };
  return { realm: strip(realm, shape, []), faults };
}

function faultsOfWord(word: string, value: unknown, path: Step[]): FaultOfWord[] {
  const fault = (message: string, at = path) => [{ path: at, message }];
  if (word === renamedWord)
    return typeof value === 'string' && value !== '' ? [] : fault('must be a text that is not empty');
  if (!isObject(value)) return fault('must be an object with `modes` and `lifecycle`');
  const unknown = Object.keys(value).filter((key) => key !== 'modes' && key !== 'lifecycle');
  if (unknown.length > 0)
    return unknown.flatMap((key) => fault('is unknown: the only fields are `modes` and `lifecycle`', [...path, key]));
  return [
    ...faultsOfModes(value['modes'] ?? {}, [...path, 'modes']),
    ...faultsOfLifecycle(value['lifecycle'] ?? {}, [...path, 'lifecycle']),
  ];
}

function faultsOfModes(chosen: unknown, path: Step[]): FaultOfWord[] {
  if (!isObject(chosen)) return [{ path, message: 'must be an object of kinds and their modes' }];
  return Object.entries(chosen).flatMap(([kind, mode]) => {
    const at = [...path, kind];
    if (!(kindsWithMode as readonly string[]).includes(kind)) {
      return [{ path: at, message: `is no kind with a mode: these are ${kindsWithMode.join(', ')}` }];
    }
    const isMode = (modes as readonly unknown[]).includes(mode);
    return isMode ? [] : [{ path: at, message: `must be one of ${modes.join(', ')}` }];
  });
}

/** The names and types of rules for an object. */
const Rule = z.strictObject({
  preventDestroy: z.boolean('must be true or false').optional(),
  ignoreChanges: z.array(z.string('must be a text'), 'must be a list of fields').optional(),
});

function faultsOfLifecycle(rules: unknown, path: Step[]): FaultOfWord[] {
  if (!isObject(rules)) return [{ path, message: 'must be an object of names of objects and their rules' }];
  return Object.entries(rules).flatMap(([name, rule]) => {
    const at = [...path, name];
    if (!parseObjectName(name)) return [{ path: at, message: `must be called ${objectNameForm}` }];
    if (!isObject(rule)) return [{ path: at, message: 'must be an object with `preventDestroy` and `ignoreChanges`' }];
    return (Rule.safeParse(rule).error?.issues ?? []).flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({
            path: [...at, key],
            message: 'is unknown: the only fields are `preventDestroy` and `ignoreChanges`',
          }))
        : [{ path: [...at, ...(issue.path as Step[])], message: issue.message }],
    );
  });
}
