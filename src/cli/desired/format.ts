import {
  Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  stringify,
  visit,
} from 'yaml';
import { type Shape, shapeOf } from '../../services/realms/files/shape.js';
import { isPrintable, printable } from '../print.js';
import { canonical, itemOrder, keyOrder } from './canonical.js';
import { createLiterals, isReprinted, type Literals } from './literals.js';
import { jsonTokens } from './parse-json.js';
import { yamlOptions } from './parse-yaml.js';

const printOptions = { lineWidth: 0, indentSeq: true, flowCollectionPadding: true } as const;

/** A YAML text of a value in its canonical form. */
export function yamlText(value: unknown, shape: Shape | undefined): string {
  const options = { ...yamlOptions, aliasDuplicateObjects: false };
  const text = stringify(canonical(value, shape), { ...options, ...printOptions });
  if (isPrintable(text)) return text;
  // only texts in double quotes can have escapes
  const document = new Document(canonical(value, shape), options);
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && !isPrintable(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return printable(document.toString(printOptions));
}

/**
 * The canonical form of a text that was parsed without errors. Comments of YAML stay with the node that follows them.
 */
export function formatted(text: string, format: 'json' | 'yaml', shape: Shape | undefined): string {
  return format === 'json' ? formattedJson(text, shape) : formattedYaml(text, shape);
}

function formattedJson(text: string, shape: Shape | undefined): string {
  const literals = createLiterals();
  const kept = text
    .replace(/^\uFEFF/, '')
    .replace(jsonTokens, (token) =>
      /^[-\d]/.test(token) && isReprinted(token) ? `"${literals.placeholder(token)}"` : token,
    );
  return literals.restored(`${JSON.stringify(canonical(JSON.parse(kept), shape), null, 2)}\n`);
}

function formattedYaml(text: string, shape: Shape | undefined): string {
  const literals = createLiterals();
  const document = parseDocument(text, yamlOptions);
  keepOnTop(document);
  // an alias must not come before its anchor
  if (!hasAliases(document)) sort(document.contents, shape);
  keepNumbers(document, literals);
  return literals.restored(document.toString(printOptions));
}

/** Keeps a comment at the top of a file. The parser attaches it to the first item, unless a blank line follows it. */
function keepOnTop(document: Document): void {
  const { contents } = document;
  if (document.commentBefore || !(isMap(contents) || isSeq(contents))) return;
  const [first] = contents.items;
  const holder = isPair(first) ? first.key : first;
  if (!isNode(holder) || !holder.commentBefore) return;
  // a comment below a blank line describes the first item
  const [top, ...others] = holder.commentBefore.split('\n\n');
  document.commentBefore = top ?? null;
  holder.commentBefore = others.join('\n\n') || null;
}

function keepNumbers(document: Document, literals: Literals): void {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== 'number' || node.source === undefined || !isReprinted(node.source)) return;
      node.value = literals.placeholder(node.source);
    },
  });
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

/**
 * Sorts the children of a node. The parser attaches a comment before the first item to the list, where it would stay on
 * top.
 */
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
