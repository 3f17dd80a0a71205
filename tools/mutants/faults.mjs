// The faults that can be put into a source: the usual operators of mutation testing, one place each.
import { parseAst } from 'rolldown/parseAst';

const otherOperators = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};
const otherMethods = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  min: 'max',
  max: 'min',
};
/** Calls whose result is what they are called on, nearly: without them the code runs on. */
const droppedMethods = new Set(['filter', 'sort', 'toSorted', 'slice', 'trim', 'reverse', 'toReversed']);
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
/** Texts that people read are no behaviour. */
const tellsPeople =
  /^(Error|\w*Error|invalid|notFound|forbidden|conflict|refuse\w*|fault\w*|debug|info|warn|error|trace|describe)$/;
const isSentence = /^[A-Z].* /;

/**
 * The faults of a source, in functions only: `start` and `end` are the offsets of what `replacement` replaces, `function` is where the
 * innermost function begins, and `code` is the line.
 */
export function faultsOf(file, text) {
  const faults = [];
  const lines = text.split('\n');
  const lineStarts = [0];
  for (const line of lines) lineStarts.push((lineStarts.at(-1) ?? 0) + line.length + 1);
  const add = (operator, { start, end }, replacement, within) => {
    if (within === undefined) return;
    const line = lineStarts.findLastIndex((one) => one <= start) + 1;
    const column = start - lineStarts[line - 1] + 1;
    const id = `${file}:${line}:${column}:${operator}`;
    faults.push({
      id,
      file,
      line,
      column,
      operator,
      start,
      end,
      original: text.slice(start, end),
      replacement,
      function: within,
      code: lines[line - 1].trim(),
    });
  };
  visit(parseAst(text, { lang: 'ts' }), undefined, false, (node, within) => addFaults(node, within, text, add));
  return faults;
}

/**
 * Where a fault is in a later text of its source: the nearest place with the same code. `start` is undefined if it is gone.
 * @param {ReturnType<typeof faultsOf>[number]} fault
 * @param {string} text
 */
export function moved(fault, text) {
  const distance = ({ line, column }) => Math.abs(line - fault.line) + Math.abs(column - fault.column) / 1000;
  const [nearest] = faultsOf(fault.file, text)
    .filter(
      ({ operator, original, code }) =>
        operator === fault.operator && original === fault.original && code === fault.code,
    )
    .sort((a, b) => distance(a) - distance(b));
  const { line, column, start, end } = nearest ?? fault;
  return nearest ? { line, column, start, end } : { start: undefined, end: undefined };
}

/** Visits the code of a tree without types, declarations, and texts for people. */
function visit(node, within, isText, enter) {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, within, isText, enter);
    return;
  }
  if (typeof node !== 'object' || node === null || typeof node.type !== 'string') return;
  if (/^(TS(?!AsExpression|NonNull|Satisfies)|Import|Export(All|Default))/.test(node.type)) return;
  if (isText && node.type === 'Literal') return;
  enter(node, within);
  const inner = functions.has(node.type) ? node.start : within;
  const callee = node.type === 'NewExpression' || node.type === 'CallExpression' ? node.callee : undefined;
  const name = callee?.property?.name ?? callee?.name ?? '';
  for (const [key, value] of Object.entries(node)) {
    if (key === 'key' && !node.computed) continue;
    if (key === 'value' && node.key?.name === 'description') continue;
    visit(value, inner, isText || (key === 'arguments' && tellsPeople.test(name)), enter);
  }
}

function addFaults(node, within, text, add) {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      add('condition true', node.test, 'true', within);
      add('condition false', node.test, 'false', within);
      return;
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const other = otherOperators[node.operator];
      if (other === undefined || isTextSum(node)) return;
      const between = { start: node.left.end, end: node.right.start };
      const gap = text.slice(between.start, between.end);
      add(`${node.operator} to ${other}`, between, gap.replace(node.operator, other), within);
      return;
    }
    case 'UnaryExpression':
      if (node.operator === '!') add('no negation', node, text.slice(node.argument.start, node.argument.end), within);
      return;
    case 'Literal':
      if (typeof node.value === 'boolean') add('other boolean', node, String(!node.value), within);
      if (typeof node.value === 'string' && node.value !== '' && !isSentence.test(node.value)) {
        add('empty text', node, "''", within);
      }
      if (typeof node.value === 'number') add('next number', node, String(node.value + 1), within);
      return;
    case 'BlockStatement':
      if (node.body.length > 0) add('empty block', node, '{}', within);
      return;
    case 'ArrayExpression':
      if (node.elements.length > 0) add('empty list', node, '[]', within);
      return;
    case 'ReturnStatement':
      if (node.argument) add('no result', node, 'return undefined;', within);
      return;
    case 'AwaitExpression':
      add('no await', node, text.slice(node.argument.start, node.argument.end), within);
      return;
    case 'CallExpression':
      addCallFaults(node, within, text, add);
  }
}

function addCallFaults(node, within, text, add) {
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.computed) return;
  const { name } = callee.property;
  if (otherMethods[name] !== undefined && Object.hasOwn(otherMethods, name)) {
    add(`${name} to ${otherMethods[name]}`, callee.property, otherMethods[name], within);
  }
  if (droppedMethods.has(name)) add(`no ${name}`, node, text.slice(callee.object.start, callee.object.end), within);
}

/** Whether a sum has a text, which nothing can be subtracted from. */
const isTextSum = ({ operator, left, right }) =>
  operator === '+' && [left, right].some(({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string');
