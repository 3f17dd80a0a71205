import type { ShownChange, ShownPlan } from '../../services/realms/desired/representation.js';
import type { RealmAccess } from '../access/access.js';
import { withDesired } from '../access/open.js';
import type { Desired } from '../desired/input.js';
import { maskedPlan } from '../desired/mask-plan.js';
import { changeLines, lastChange, objectLine, planJson } from '../desired/plan-text.js';
import { oneLine, type Paint, painter, print } from '../print.js';
import { desiredBy, type PlanOptions, printWarnings } from './plan.js';

/** Options of `realmgate drift`. */
export interface DriftOptions extends PlanOptions {
  /** whether changes of the realm are followed until the command is ended */
  watch?: boolean;
}

/**
 * Prints the objects of a realm that differ from the files, with the authors of their last changes. The exit status is
 * 2 if there are any. Throws a refusal that names the field.
 */
export function driftOfRealm(files: string[], options: DriftOptions): Promise<void> {
  const desired = desiredBy(files, options);
  if (options.watch && options.json) throw new Error('--watch prints lines: leave --json out.');
  return withDesired(options, desired, async (realms) => {
    if (options.watch) return watch(realms, desired);
    const plan = await planned(realms, desired);
    if (options.json) print(planJson(plan));
    else {
      const paint = painter(process.stdout);
      for (const change of plan.changes) {
        for (const line of [...changeLines(asDrift(change), paint), authorLine(change)]) print(line);
      }
      printWarnings(plan);
      print(plan.changes.length === 0 ? 'The realm is as the files say.' : summaryOfDrift(plan));
    }
    if (plan.changes.length > 0) process.exitCode = 2;
  });
}

const planned = async (realms: RealmAccess, { name, input, secrets }: Desired): Promise<ShownPlan> =>
  maskedPlan(await realms.plan(name, input), secrets);

const opposite = { CREATE: 'DELETE', DELETE: 'CREATE', UPDATE: 'UPDATE' } as const;

/** The drift of an object is the opposite of the change that the plan would make. */
const asDrift = ({ usersGaining: _, usersLosing: __, ...change }: ShownChange): ShownChange => ({
  ...change,
  action: opposite[change.action],
  fields: change.fields.map((field) => ({ ...field, before: field.after, after: field.before })),
});

const summaryOfDrift = ({ summary }: ShownPlan): string =>
  `${summary.delete} added, ${summary.update} changed, ${summary.create} removed since the files were applied.`;

function authorLine(change: ShownChange): string {
  const last = lastChange(change);
  return last === undefined ? '    no event states who changed it' : `    last changed ${last}`;
}

/**
 * Follows a realm until the process receives a signal to end. Prints a line for each object that drifts, and for each
 * that no longer does.
 */
async function watch(realms: RealmAccess, desired: Desired): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const paint = painter(process.stdout);
  let known = new Map<string, string>();
  const look = async (): Promise<void> => {
    const plan = await planned(realms, desired);
    known = printNews(known, plan, paint);
    process.exitCode = known.size > 0 ? 2 : 0;
  };
  let isFirst = true;
  for await (const _ of realms.changes(desired.name, stopping.signal)) {
    await look();
    if (isFirst) print(standing(known.size));
    isFirst = false;
  }
}

/** How far a realm is from its files. */
function standing(count: number): string {
  if (count === 0) return 'The realm is as the files say.';
  return count === 1 ? '1 object differs from the files.' : `${count} objects differ from the files.`;
}

const nameOf = ({ kind, key }: Pick<ShownChange, 'kind' | 'key'>): string => `${kind} ${key}`;

/**
 * Prints the differences between two checks of a realm. Returns the objects that differ now, with their differences.
 */
function printNews(known: ReadonlyMap<string, string>, { changes }: ShownPlan, paint: Paint): Map<string, string> {
  const now = new Map(changes.map((change) => [nameOf(change), JSON.stringify(change.fields)]));
  const fresh = changes.filter((change) => known.get(nameOf(change)) !== now.get(nameOf(change)));
  for (const change of fresh) {
    const { fields, ...object } = asDrift(change);
    const paths =
      object.action === 'UPDATE' ? ` (${fields.map(({ path }) => oneLine(path.join('.'))).join(', ')})` : '';
    print([`${objectLine(object, paint)}${paths}`, lastChange(change) ?? []].flat().join(', '));
  }
  for (const name of known.keys()) if (!now.has(name)) print(`= ${oneLine(name)} is as the files say`);
  return now;
}
