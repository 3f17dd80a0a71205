import type { ShownAuthor, ShownChange, ShownPlan } from '../../services/realms/desired/representation.js';
import { oneLine, type Paint } from '../print.js';

const signs = { CREATE: ['+', 'green'], UPDATE: ['~', 'yellow'], DELETE: ['-', 'red'] } as const;

/** The line of an object that changes. */
export function objectLine({ action, kind, key }: Pick<ShownChange, 'action' | 'kind' | 'key'>, paint: Paint): string {
  const [sign, colour] = signs[action];
  return paint(colour, `${sign} ${kind} ${oneLine(key)}`);
}

const shown = (value: unknown, paint: Paint, colour: 'red' | 'green', isUnknown = false): string => {
  if (isUnknown && typeof value === 'string') return paint('yellow', oneLine(value));
  return value === undefined || value === null ? paint('dim', 'absent') : paint(colour, JSON.stringify(value));
};

type Field = ShownChange['fields'][number];

/** Whether a field of a new object is redundant: it is not set, or it is the name of the object, or its ID. */
const saysNothing = ({ path, after }: Field, { key }: ShownChange): boolean =>
  path[0] === 'id' ||
  [undefined, null, false, '', 0, -1, key, key.split('/').at(-1)].some((value) => value === after) ||
  (typeof after === 'object' && after !== null && Object.keys(after).length === 0);

const fieldLines = (fields: readonly Field[], lineOf: (path: string, field: Field) => string): string[] =>
  fields.map((field) => `    ${lineOf(oneLine(field.path.join('.')), field)}${field.isSecret ? ' (secret)' : ''}`);

const people = (count: number, one: string, many: string): string =>
  count === 1 ? `1 user ${one}` : `${count.toLocaleString('en')} users ${many}`;

/** A line with the numbers of users who gain or lose something by the change of a role or a group. */
function userLines({ action, usersGaining, usersLosing }: ShownChange, paint: Paint): string[] {
  const what = action === 'DELETE' ? 'it' : 'roles';
  const parts = [
    ...(usersLosing === undefined ? [] : [people(usersLosing, `loses ${what}`, `lose ${what}`)]),
    ...(usersGaining === undefined ? [] : [people(usersGaining, 'gains roles', 'gain roles')]),
  ];
  return parts.length === 0 ? [] : [`    ${paint('yellow', parts.join(', '))}`];
}

/**
 * The lines of a change: the object and its fields. A new object has only fields with a meaning, and a deleted one has
 * none.
 */
export function changeLines(change: ShownChange, paint: Paint): string[] {
  const head = objectLine(change, paint);
  const users = userLines(change, paint);
  if (change.action === 'DELETE') return [head, ...users];
  if (change.action === 'CREATE') {
    const fields = change.fields.filter((field) => !saysNothing(field, change));
    return [
      head,
      ...fieldLines(fields, (path, { after, isUnknown }) => `${path}: ${shown(after, paint, 'green', isUnknown)}`),
    ];
  }
  const changed = (path: string, { before, after, isUnknown }: Field) =>
    `${path}: ${shown(before, paint, 'red')} → ${shown(after, paint, 'green', isUnknown)}`;
  return [head, ...users, ...fieldLines(change.fields, changed)];
}

/** The lines of the objects that gain administration roles. */
export const grantLines = ({ changes }: Pick<ShownPlan, 'changes'>, paint: Paint): string[] =>
  changes
    .filter(({ grants }) => grants.length > 0)
    .map(({ kind, key, grants }) =>
      paint('red', `! ${kind} ${oneLine(key)} gains administration: ${grants.map(oneLine).join(', ')}`),
    );

const markdownSigns = { CREATE: '+', UPDATE: '!', DELETE: '-' } as const;

/** A plan as Markdown for a comment of a pull request. */
export function planMarkdown(
  realm: string,
  plan: ShownPlan,
  unknown: readonly string[] = [],
  hasDigest = true,
): string {
  const plain: Paint = (_, text) => text;
  const grants = grantLines(plan, plain).map((line) => `> - ${line.slice(2)}`);
  const lines = plan.changes.flatMap((change) => {
    const [, ...fields] = changeLines(change, plain);
    return [
      `${markdownSigns[change.action]} ${change.kind} ${oneLine(change.key)}`,
      ...fields.map((line) => ` ${line}`),
    ];
  });
  const ticks = lines.join('\n').match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...ticks.map(({ length }) => length + 1)));
  return [
    `### Plan of the realm ${markdownText(realm)}`,
    ...(grants.length > 0
      ? ['', '> [!CAUTION]', '> Administration roles are granted:', ...grants.map(markdownText)]
      : []),
    ...(plan.warnings.length > 0
      ? ['', '> [!WARNING]', ...plan.warnings.map((one) => `> - ${markdownText(oneLine(one))}`)]
      : []),
    ...(lines.length > 0 ? ['', `${fence}diff`, ...lines, fence] : []),
    '',
    ...[...unknownLines(unknown), ...partialLines(plan)].flatMap((line) => [markdownText(line), '']),
    summaryLine(plan),
    ...(hasDigest ? ['', `digest \`${plan.digest}\``] : []),
  ].join('\n');
}

/** Escapes a text for Markdown and HTML, except for quotations and lists at its beginning. */
const markdownText = (text: string): string => text.replace(/[\\`*_[\]<&|#@~]/g, (sign) => `\\${sign}`);

/** The time and the author of the last manual change of an object; undefined if no admin event states it. */
export function lastChange({ lastChangedAt, lastChangedBy }: ShownChange): string | undefined {
  if (lastChangedAt === undefined) return undefined;
  return `${new Date(lastChangedAt).toISOString()} by ${authorText(lastChangedBy)}`;
}

/** The name of a change's author: the client of a service account, or the user; an ID if the name must not be shown. */
export function authorText(author: Partial<ShownAuthor> = {}): string {
  const { serviceAccountClientId, username, userId, clientId } = author;
  return oneLine(
    serviceAccountClientId ? `the client ${serviceAccountClientId}` : String(username || userId || clientId),
  );
}

/** Maximum references in a line. */
const mostNamed = 50;

/** A line with the references to values that are unknown to a plan without secrets; empty if all are known. */
export function unknownLines(references: readonly string[]): string[] {
  if (references.length === 0) return [];
  const rest = references.length - mostNamed;
  const named = references.slice(0, mostNamed).map(oneLine).join(', ');
  return [`Unknown until applied, and not compared: ${named}${rest > 0 ? `, and ${rest} more` : ''}.`];
}

/** A line that states that a plan is partial; empty for a whole plan. */
export function partialLines({ omitted }: Pick<ShownPlan, 'omitted'>): string[] {
  if (omitted === undefined) return [];
  const others = omitted === 1 ? '1 other object' : `${omitted.toLocaleString('en')} other objects`;
  const rest =
    omitted === 0
      ? 'no other object would change'
      : `${others} would change, and ${omitted === 1 ? 'is' : 'are'} left out`;
  return [`Partial plan, of the targets and what they need: ${rest}.`];
}

/** The line that counts the changes of a plan. */
export const summaryLine = ({ summary }: Pick<ShownPlan, 'summary'>): string =>
  `${summary.create} to create, ${summary.update} to update, ${summary.delete} to delete.`;

/** The line with the counts of an apply or a revert. */
export const appliedLine = (done: string, { summary }: Pick<ShownPlan, 'summary'>): string =>
  `${done}: ${summary.create} created, ${summary.update} updated, ${summary.delete} deleted.`;

/** The fields of a plan in JSON. */
export const planValues = ({ digest, summary, changes, warnings, omitted }: ShownPlan): ShownPlan => ({
  digest,
  summary,
  changes,
  warnings,
  ...(omitted !== undefined && { omitted }),
});

/** A plan as JSON, for programs. */
export const planJson = (plan: ShownPlan): string => JSON.stringify(planValues(plan), undefined, 2);
