import type { Db } from '../../../database/db.js';
import type { RealmRows } from '../assemble/draft.js';
import type { Row } from './delta.js';

/** The rows of a realm whose IDs are in no file. */
export interface KnownRows {
  requiredActions: readonly { id: string; alias: string }[];
  executions: readonly Execution[];
  /** the IDs of service accounts by user name */
  accounts: ReadonlyMap<string, string>;
}

interface Execution {
  id: string;
  flowId: string;
  authenticator?: string | null | undefined;
  subflowId?: string | null | undefined;
  configId?: string | null | undefined;
  requirement?: string | undefined;
  priority?: number | undefined;
}

/** Reads the rows of a realm whose IDs are in no file. */
export async function readKnownRows(db: Db, realmId: string): Promise<Omit<KnownRows, 'accounts'>> {
  const where = { realmId };
  const [requiredActions, executions] = await Promise.all([
    db.requiredAction.findMany({ where, select: { id: true, alias: true } }),
    db.authenticationExecution.findMany({
      where,
      select: {
        ...{ id: true, flowId: true, authenticator: true, subflowId: true, configId: true },
        ...{ requirement: true, priority: true },
      },
      orderBy: [{ flowId: 'asc' }, { priority: 'asc' }, { id: 'asc' }],
    }),
  ]);
  return { requiredActions, executions };
}

/** The target of a step: its authenticator or subflow. */
const work = ({ flowId, authenticator, subflowId }: Execution): string =>
  `${flowId} ${authenticator ?? ''} ${subflowId ?? ''}`;

/** The target of a step with its configuration, requirement, and priority. */
const wholeWork = (step: Execution): string =>
  `${work(step)} ${step.configId ?? ''} ${step.requirement} ${step.priority ?? 0}`;

/** Numbers the steps with the same text, because nothing else distinguishes them. */
function executionKeys(steps: readonly Execution[], textOf: (step: Execution) => string): Map<Execution, string> {
  const counts = new Map<string, number>();
  const inOrder = steps.toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0));
  return new Map(
    inOrder.map((step) => {
      const key = textOf(step);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      return [step, `${key} ${count}`];
    }),
  );
}

/**
 * Returns the IDs that steps of flows have in the realm, by step. Fully equal steps are matched first: steps with the
 * same priority are ordered by their IDs, which differ between realms.
 */
function knownSteps(steps: readonly Execution[], known: readonly Execution[]): Map<Execution, string> {
  const found = new Map<Execution, string>();
  const taken = new Set<string>();
  for (const textOf of [wholeWork, work]) {
    const free = known.filter(({ id }) => !taken.has(id));
    const byKey = new Map([...executionKeys(free, textOf)].map(([step, key]) => [key, step.id]));
    const rest = steps.filter((step) => !found.has(step));
    for (const [step, key] of executionKeys(rest, textOf)) {
      const id = byKey.get(key);
      if (id === undefined) continue;
      found.set(step, id);
      taken.add(id);
    }
  }
  return found;
}

/**
 * Gives rows of required actions, of steps of flows, and of service accounts the IDs of their counterparts in the
 * realm.
 */
export function withKnownIds(rows: RealmRows, known: KnownRows): RealmRows {
  const actions = new Map(known.requiredActions.map(({ alias, id }) => [alias, id]));
  const steps = knownSteps(rows.AuthenticationExecution as Execution[], known.executions);
  const users = new Map<unknown, string>();
  for (const { id, username, serviceAccountClientId } of rows.User) {
    const own = serviceAccountClientId ? known.accounts.get(username) : undefined;
    if (own !== undefined && own !== id) users.set(id, own);
  }
  const aligned = {
    ...rows,
    RequiredAction: rows.RequiredAction.map((row) => ({ ...row, id: actions.get(row.alias) ?? row.id })),
    AuthenticationExecution: rows.AuthenticationExecution.map((row) => ({
      ...row,
      id: steps.get(row as Execution) ?? row.id,
    })),
  };
  return users.size === 0 ? aligned : withUserIds(aligned, users);
}

function withUserIds(rows: RealmRows, ids: ReadonlyMap<unknown, string>): RealmRows {
  const renewed = Object.entries(rows).map(([model, list]) => {
    const column = model === 'User' ? 'id' : 'userId';
    const next = (list as Row[]).map((row) =>
      ids.has(row[column]) ? { ...row, [column]: ids.get(row[column]) } : row,
    );
    return [model, next];
  });
  return { ...rows, ...Object.fromEntries(renewed) };
}
