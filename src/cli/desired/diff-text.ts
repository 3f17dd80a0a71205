import { isObject } from '../../services/core/json.js';
import { mask } from '../../services/core/mask.js';
import type { ShownChange } from '../../services/realms/desired/representation.js';
import { oneLine, type Paint } from '../print.js';
import { yamlText } from './format.js';
import { compareLines } from './line-diff.js';

type Tree = Record<string, unknown>;
type Side = 'before' | 'after';

/** A mask shows that a secret changes only if it differs from the other mask. */
const secretTexts: Record<Side, string> = { before: `${mask} (as it is)`, after: `${mask} (as in the files)` };

/** The fields of a change on one side, as the object that they are parts of. */
function treeOf({ action, fields }: ShownChange, side: Side): Tree {
  const tree: Tree = {};
  for (const { path, isSecret, ...values } of fields) {
    const value = values[side];
    // the ID of an object that does not exist yet differs in each plan
    if (action === 'CREATE' && path.join() === 'id') continue;
    if (value === undefined || value === null) continue;
    let at = tree;
    for (const name of path.slice(0, -1)) {
      if (!isObject(at[name])) at[name] = {};
      at = at[name] as Tree;
    }
    const hasOther = values.before != null && values.after != null;
    at[path.at(-1) ?? ''] = isSecret && hasOther && value === mask ? secretTexts[side] : value;
  }
  return tree;
}

/** Converts maps with indexes as keys to lists, as in YAML. */
function withLists(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, withLists(item)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

const linesOf = (tree: Tree): string[] =>
  Object.keys(tree).length === 0 ? [] : yamlText(withLists(tree), undefined).trimEnd().split('\n');

/** The lines of a unified diff of an object: its fields that change, as YAML, before and after. */
export function diffLines(change: ShownChange, paint: Paint): string[] {
  const name = `${change.kind} ${oneLine(change.key)}`;
  const head = [
    `--- ${change.action === 'CREATE' ? '(absent)' : name}`,
    `+++ ${change.action === 'DELETE' ? '(absent)' : name}`,
  ].map((line) => paint('bold', line));
  const lines = compareLines(linesOf(treeOf(change, 'before')), linesOf(treeOf(change, 'after')));
  return [
    ...head,
    ...lines.map(({ sign, text }) => {
      const line = `${sign}${text}`;
      return sign === ' ' ? line : paint(sign === '-' ? 'red' : 'green', line);
    }),
  ];
}
