import type { Db } from '../../../database/db.js';
import type { RealmRows } from '../assemble/draft.js';
import type { Row } from './delta.js';

/** What is known of the rows of a realm whose ids are in no file. */
export interface KnownRows {
  requiredActions: readonly { id: string; alias: string }[];
  executions: readonly Execution[];
  /** the ids of service accounts by user name */
  accounts: ReadonlyMap<string, string>;
}

interface Execution {
  id: string;
  flowId: string;
  authenticator?: string | null | undefined;
  subflowId?: string | null | undefined;
  priority?: number | undefined;
}

/** Reads the rows of a realm whose ids are in no file. */
export async function readKnownRows(db: Db, realmId: string): Promise<Omit<KnownRows, 'accounts'>> {
  const where = { realmId };
  const [requiredActions, executions] = await Promise.all([
    db.requiredAction.findMany({ where, select: { id: true, alias: true } }),
    db.authenticationExecution.findMany({
      where,
      select: { id: true, flowId: true, authenticator: true, subflowId: true, priority: true },
      orderBy: [{ flowId: 'asc' }, { priority: 'asc' }, { id: 'asc' }],
    }),
  ]);
  return { requiredActions, executions };
}

/** Numbers the steps of a flow that do the same, as nothing else tells them apart. */
function executionKeys(steps: readonly Execution[]): Map<Execution, string> {
  const counts = new Map<string, number>();
  const inOrder = steps.toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0));
  return new Map(
    inOrder.map((step) => {
      const key = `${step.flowId} ${step.authenticator ?? ''} ${step.subflowId ?? ''}`;
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      return [step, `${key} ${count}`];
    }),
  );
}

/** Gives rows of required actions, of steps of flows and of service accounts the ids that the same ones have in the realm. */
export function withKnownIds(rows: RealmRows, known: KnownRows): RealmRows {
  const actions = new Map(known.requiredActions.map(({ alias, id }) => [alias, id]));
  const steps = new Map([...executionKeys(known.executions)].map(([step, key]) => [key, step.id]));
  const ownKeys = executionKeys(rows.AuthenticationExecution as Execution[]);
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
      id: steps.get(ownKeys.get(row as Execution) ?? '') ?? row.id,
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
