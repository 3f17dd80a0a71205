import { members } from '../../core/json.js';
import { label } from './natural-keys.js';
import { realmShape, type Shape, type Step, shapeOf } from './shape.js';

/** A path with the positions in lists as numbers. */
export function stepsOf(realm: unknown, path: readonly string[]): Step[] {
  let value = realm;
  return path.map((part) => {
    const step: Step = Array.isArray(value) ? Number(part) : part;
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
    return step;
  });
}

/**
 * A path with the names of objects in place of their indexes, such as `clients[shop].redirectUris`, unless these are
 * secret.
 */
export function pathText(realm: unknown, path: readonly Step[], secrets: ReadonlySet<string>): string {
  let text = '';
  let value = realm;
  let shape: Shape | undefined = realmShape();
  for (const [depth, step] of path.entries()) {
    shape = shapeOf(shape, step);
    value = typeof value === 'object' && value !== null ? (value as Record<Step, unknown>)[step] : undefined;
    const isShown = (key: string): boolean => !secrets.has(JSON.stringify([...path.slice(0, depth + 1), key]));
    const shown = Object.fromEntries(Object.entries(members(value)).filter(([key]) => isShown(key)));
    if (typeof step === 'number') text += `[${label(shape, shown) ?? step}]`;
    else if (/^[\w$-]+$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${step}]`;
  }
  return text;
}
