import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  stringify,
  visit,
} from 'yaml';
import { canonical, itemOrder, keyOrder } from './canonical.js';
import { yamlOptions } from './parse-yaml.js';
import { type Shape, shapeOf } from './shape.js';

const printOptions = { lineWidth: 0, indentSeq: true, flowCollectionPadding: true } as const;

/** A YAML text of a value in its canonical form. */
export const yamlText = (value: unknown, shape: Shape | undefined): string =>
  stringify(canonical(value, shape), { ...yamlOptions, ...printOptions, aliasDuplicateObjects: false });

/** The canonical form of a text that was parsed without errors. Comments of YAML stay with what follows them. */
export function formatted(text: string, format: 'json' | 'yaml', shape: Shape | undefined): string {
  if (format === 'json')
    return `${JSON.stringify(canonical(JSON.parse(text.replace(/^\uFEFF/, '')), shape), null, 2)}\n`;
  const document = parseDocument(text, yamlOptions);
  // an alias must not come before its anchor
  if (!hasAliases(document)) sort(document.contents, shape);
  return document.toString(printOptions);
}

function hasAliases(document: Document): boolean {
  let found = false;
  visit(document, (_, node) => {
    if (!isAlias(node)) return undefined;
    found = true;
    return visit.BREAK;
  });
  return found;
}

/** Sorts what a node has. The parser gives a comment before the first item to the list, which would keep it on top. */
function sort(node: unknown, shape: Shape | undefined): void {
  if (isMap(node)) {
    const compare = keyOrder(shape);
    const nameOf = (key: unknown): string => (isScalar(key) ? String(key.value) : '');
    for (const { key, value } of node.items) {
      if (isMap(value)) giveComment(value, value.items[0]?.key);
      sort(value, shapeOf(shape, nameOf(key)));
    }
    node.items.sort((a, b) => compare(nameOf(a.key), nameOf(b.key)));
  }
  if (!isSeq(node)) return;
  giveComment(node, node.items[0]);
  for (const item of node.items) sort(item, shapeOf(shape, 0));
  const order = itemOrder(shape);
  const value = (item: unknown): unknown => (isMap(item) ? item.toJSON() : item);
  if (order) node.items.sort((a, b) => order(value(a), value(b)));
}

/** Moves the comment of a collection to its first item. */
function giveComment(collection: Node, first: unknown): void {
  if (!isNode(first) || !collection.commentBefore) return;
  first.commentBefore = [collection.commentBefore, first.commentBefore].filter(Boolean).join('\n');
  collection.commentBefore = undefined;
}
