import { isObject } from '../../services/core/json.js';
import { kindsWithMode, modes } from '../../services/realms/desired/kinds.js';
import { isKeyed } from './natural-keys.js';
import { type Shape, type Step, shapeName, shapeOf } from './shape.js';

// Words of desired realms that the contract does not have. They reach plan and apply as they are in the files.

/** The field of a realm that says how it is applied: `{ "modes": { "clients": "FULL" } }`. */
export const settingsWord = '$realmgate';
/** The field of an object in an overlay that removes the object with its natural key. */
export const removeWord = '$remove';
/** The field of an object with its natural key in the realm, if the file gives it another one. */
export const renamedWord = 'renamedFrom';

/** The words that an object of a shape may have. `$remove` is none of them: overlays take it out. */
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

/** The realm without words, as the contract has it, and what is wrong with the words. */
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
  if (!isObject(value)) return fault('must be an object with `modes`');
  const unknown = Object.keys(value).filter((key) => key !== 'modes');
  if (unknown.length > 0)
    return unknown.flatMap((key) => fault('is unknown: the only field is `modes`', [...path, key]));
  const chosen = value['modes'] ?? {};
  if (!isObject(chosen)) return fault('must be an object of kinds and their modes', [...path, 'modes']);
  return Object.entries(chosen).flatMap(([kind, mode]) => {
    const at = [...path, 'modes', kind];
    if (!(kindsWithMode as readonly string[]).includes(kind)) {
      return fault(`is no kind with a mode: these are ${kindsWithMode.join(', ')}`, at);
    }
    return (modes as readonly unknown[]).includes(mode) ? [] : fault(`must be one of ${modes.join(', ')}`, at);
  });
}
