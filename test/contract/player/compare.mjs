// Compares a recorded with an actual normalised answer and says in words what differs.
import { pairs } from './pairs.mjs';

export function differences(expected, actual, { ordered = false } = {}) {
  const lines = [];
  if (expected.status !== actual.status) lines.push(`status: expected ${expected.status}, got ${actual.status}`);
  if (!('type' in actual)) return lines; // only the status counts
  if (!('type' in expected)) return [...lines, 'the recording has the status only'];
  if (expected.type !== actual.type)
    lines.push(`content type: expected ${expected.type ?? 'no body'}, got ${actual.type ?? 'no body'}`);
  compare(expected.headers ?? {}, actual.headers, 'header', lines);
  compare(expected.body, actual.body, 'body', lines, ordered);
  return lines;
}

function compare(expected, actual, path, lines, ordered = false) {
  if (JSON.stringify(expected) === JSON.stringify(actual)) return;
  if (Array.isArray(expected) && Array.isArray(actual)) return compareArrays(expected, actual, path, lines, ordered);
  if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const at = /^[\w-]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
      if (!(key in actual)) lines.push(`${at}: missing, expected ${show(expected[key])}`);
      else if (!(key in expected)) lines.push(`${at}: unexpected, got ${show(actual[key])}`);
      else compare(expected[key], actual[key], at, lines);
    }
    return;
  }
  const from = typeof expected === 'string' && typeof actual === 'string' ? beforeDifference(expected, actual) : 0;
  lines.push(`${path}: expected ${show(expected, from)}, got ${show(actual, from)}`);
}

function compareArrays(expected, actual, path, lines, ordered) {
  const plain = (list) => list.every((item) => !isObject(item) && !Array.isArray(item));
  if (plain(expected) && plain(actual) && !ordered) {
    const missing = without(expected, actual);
    const extra = without(actual, expected);
    if (missing.length) lines.push(`${path}: missing ${missing.map(show).join(', ')}`);
    if (extra.length) lines.push(`${path}: unexpected ${extra.map(show).join(', ')}`);
    return;
  }
  if (expected.length !== actual.length) lines.push(`${path}: expected ${expected.length} items, got ${actual.length}`);
  const before = lines.length;
  const list = ordered ? byPosition(expected, actual) : pairs(expected, actual);
  for (const [one, other, key] of list) {
    if (one === undefined) lines.push(`${path}${key}: unexpected, got ${show(other)}`);
    else if (other === undefined) lines.push(`${path}${key}: missing, expected ${show(one)}`);
    else compare(one, other, `${path}${key}`, lines);
  }
  if (lines.length === before && expected.length === actual.length) lines.push(`${path}: the order differs`);
}

function byPosition(expected, actual) {
  const length = Math.max(expected.length, actual.length);
  return Array.from({ length }, (_, at) => [expected[at], actual[at], `[${at}]`]);
}

/** The items of one list that the other lacks; repeated items count. */
function without(list, other) {
  const left = [...other];
  return list.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Where to begin to show two long texts, so that what differs is seen. */
function beforeDifference(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return Math.max(0, at - 60);
}

function show(value, from = 0) {
  const shown = from > 0 ? `...${value.slice(from)}` : value;
  const text = JSON.stringify(shown) ?? 'nothing';
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
}
