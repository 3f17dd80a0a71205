import type { Db, ModelName } from '../../../database/db.js';
import { edgesInCircles } from '../../core/circles.js';
import type { RealmRecord } from '../../core/realm.js';
import type { RealmRows } from '../assemble/draft.js';
import type { BrokenRule } from '../desired/broken-rule.js';
import { type Delta, keyOfRow, type Row } from '../desired/delta.js';
import { brokenRules, checkedIn, type Outcome } from '../desired/single-rules.js';
import { movedSecrets } from './moved-secrets.js';
import type { Unreturned } from './undo.js';

const wholeRow: Unreturned['paths'] = [[]];

/** Tables whose rows must not form circles between objects: columns with the IDs of both objects. */
const trees: { [M in ModelName]?: readonly [from: string, to: string] } = {
  AuthorizationPolicyUse: ['policyId', 'associatedId'],
  AuthenticationExecution: ['flowId', 'subflowId'],
  Component: ['id', 'parentId'],
};

/** The rows that would close a circle. */
function closingCircles(back: Delta, after: RealmRows): Unreturned[] {
  return (Object.keys(trees) as (ModelName & keyof RealmRows)[]).flatMap((model) => {
    const [from, to] = trees[model] ?? ['', ''];
    const { inserted = [], updated = [] } = back.get(model) ?? {};
    const written = [...inserted, ...updated.map((update) => update.after)];
    if (written.length === 0) return [];
    const edgeOf = (row: Row) => [String(row[from]), String(row[to])] as const;
    const isClosed = edgesInCircles((after[model] as Row[]).filter((row) => row[to]).map(edgeOf));
    return written
      .filter((row) => row[to] && isClosed(edgeOf(row)))
      .map((row) => ({ model, key: keyOfRow(model, row), paths: wholeRow }));
  });
}

/**
 * The rules that a revert breaks. An updated row that already breaks a rule may continue to do so. A restored row was
 * in the realm before, so only rules that involve other objects are checked for it.
 */
async function brokenByReturn(db: Db, realm: RealmRecord, outcome: Outcome): Promise<BrokenRule[]> {
  const broken: BrokenRule[] = [];
  for (const one of await brokenRules(checkedIn(db, realm, outcome))) {
    const update = outcome.delta.get(one.model)?.updated.find(({ after }) => after === one.row);
    const isAllowed = update ? await one.breaks(update.before) : !one.isShared;
    if (!isAllowed) broken.push(one);
  }
  return broken;
}

/**
 * The parts of a revert that no single operation could make. In combination with later changes, the former values can
 * break a rule that they kept before.
 */
export async function unreturned(
  db: Db,
  realm: RealmRecord,
  { delta, after }: Outcome,
  applied: Delta,
): Promise<Unreturned[]> {
  const broken = await brokenByReturn(db, realm, { delta, after });
  return [
    ...broken.map(({ model, row, columns }) => ({
      model,
      key: keyOfRow(model, row),
      paths: columns.length === 0 ? wholeRow : columns.map((column) => [column]),
    })),
    ...closingCircles(delta, after),
    ...movedSecrets(delta, applied),
  ];
}
