import type { ShownChange, ShownPlan } from '../../services/realms/desired/representation.js';
import { oneLine, type Paint } from '../print.js';

const signs = { CREATE: ['+', 'green'], UPDATE: ['~', 'yellow'], DELETE: ['-', 'red'] } as const;

/** The line of an object that changes. */
export function objectLine({ action, kind, key }: Pick<ShownChange, 'action' | 'kind' | 'key'>, paint: Paint): string {
  const [sign, colour] = signs[action];
  return paint(colour, `${sign} ${kind} ${oneLine(key)}`);
}

const shown = (value: unknown, paint: Paint, colour: 'red' | 'green'): string =>
  value === undefined || value === null ? paint('dim', 'absent') : paint(colour, JSON.stringify(value));

/** The lines of a change: the object, and of an update its fields. */
export function changeLines(change: ShownChange, paint: Paint): string[] {
  const head = objectLine(change, paint);
  if (change.action !== 'UPDATE') return [head];
  const fields = change.fields.map(
    ({ path, before, after, isSecret }) =>
      `    ${oneLine(path.join('.'))}: ${shown(before, paint, 'red')} → ${shown(after, paint, 'green')}${isSecret ? ' (secret)' : ''}`,
  );
  return [head, ...fields];
}

/** When an object was changed last by hand, and by whom; undefined where no admin event states it. */
export function lastChange({ lastChangedAt, lastChangedBy }: ShownChange): string | undefined {
  if (lastChangedAt === undefined) return undefined;
  const { username, userId, clientId } = lastChangedBy ?? {};
  return `${new Date(lastChangedAt).toISOString()} by ${oneLine(String(username || userId || clientId))}`;
}

/** The line that counts the changes of a plan. */
export const summaryLine = ({ summary }: Pick<ShownPlan, 'summary'>): string =>
  `${summary.create} to create, ${summary.update} to update, ${summary.delete} to delete.`;

/** The line that counts what an apply has changed. */
export const appliedLine = ({ summary }: Pick<ShownPlan, 'summary'>): string =>
  `Applied: ${summary.create} created, ${summary.update} updated, ${summary.delete} deleted.`;

/** A plan as JSON, for programs. */
export const planJson = ({ digest, summary, changes, warnings }: ShownPlan): string =>
  JSON.stringify({ digest, summary, changes, warnings }, undefined, 2);
