import type { ModelName } from '../../../database/db.js';
import type { Row } from '../desired/delta.js';
import { type Index, wholes } from '../desired/objects.js';
import { parts } from '../desired/parts.js';
import { indexOf } from '../desired/whole-objects.js';
import type { Kept, KeptReason, Undone } from './undo.js';

/** Warnings that are worded one by one. */
const mostNamed = 100;

const sentences: Record<KeptReason, string> = {
  CHANGED: 'was changed since, and stays as it is.',
  DELETED: 'was deleted since, and is not created again.',
  USED: 'stays, because something that was added since refers to it.',
  NAME_TAKEN: 'does not get back what it was: something else has its name or ID.',
  REFUSED: 'does not get back what it was: with what was changed since, that is refused.',
  REFERENCE_GONE: 'does not get back all that it was: something that it refers to was deleted since.',
};

const either =
  (...indexes: Index[]): Index =>
  (model, id) => {
    for (const at of indexes) {
      const row = at(model, id);
      if (row) return row;
    }
    return undefined;
  };

/** Names of columns that are no fields: their members are. */
const isHolder = (model: ModelName, name: string | undefined): boolean =>
  model === 'Realm' && (name === 'settings' || name === 'parts');

/**
 * Names a kept part by the kind and the name of its object. Undefined for a part of a deleted object, which has its own
 * warning.
 */
function labelOf({ model, row, path = [] }: Kept, known: Index): { object: string; field: string } | undefined {
  // a row that is not restored is in neither state of the realm
  const at: Index = (other, id) => (other === model && id === row.id ? row : known(other, id));
  const part = parts[model];
  const owner = part?.owner(row, at) ?? { model, id: row.id };
  const subject: Row | undefined = part ? at(owner.model, owner.id) : row;
  const whole = wholes[owner.model];
  if (!subject || !whole) return undefined;
  const own = isHolder(model, path[0]) ? path.slice(1) : path;
  return {
    object: `${whole.kind(subject)} "${whole.key(subject, at)}"`,
    field: [...(part?.path(row, at) ?? []), ...own].join('.'),
  };
}

/** The warnings in the plan of a revert about parts that stay unchanged, without values. */
export function keptWarnings({ kept, before, after }: Pick<Undone, 'kept' | 'before' | 'after'>): string[] {
  if (kept.length === 0) return [];
  const at = either(indexOf(before), indexOf(after));
  const texts = new Set<string>();
  for (const one of kept) {
    const label = labelOf(one, at);
    if (!label) continue;
    const { object, field } = label;
    texts.add(`${field === '' ? object : `\`${field}\` of ${object}`} ${sentences[one.reason]}`);
  }
  const all = [...texts];
  const rest = all.length - mostNamed;
  return rest > 0 ? [...all.slice(0, mostNamed), `${rest} more changes stay as they are.`] : all;
}
