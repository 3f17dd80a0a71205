// Ties the identifiers of this run to those of the recording.
import { pairs } from './pairs.mjs';

const unsettled = /<(uuid|kid):\?([^>]*)>/g;
const label = /<(?:uuid|kid):[^>]*>/g;

/** Ties the new identifiers of an actual answer to those at the same place in the recorded one. */
export function match(expected, actual, names) {
  tie(expected, actual, names);
  const settled = mapStrings(actual, (text) =>
    text.replace(unsettled, (_, kind, id) => names.label(id) ?? `<${kind}:new>`),
  );
  return acceptOwnWords(expected, settled);
}

/** Numbers the new identifiers of an answer that is to be recorded. */
export function settle(value, names) {
  return mapStrings(value, (text) =>
    text.replace(unsettled, (_, kind, id) => {
      if (!names.label(id)) names.bind(id, `<${kind}:${names.count() + 1}>`);
      return names.label(id);
    }),
  );
}

/** Where the recording has `<text>`, any text of the server's own will do. */
function acceptOwnWords(expected, actual) {
  if (expected === '<text>' && typeof actual === 'string' && actual !== '') return '<text>';
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const replaced = new Map(pairs(expected, actual).map(([one, other]) => [other, acceptOwnWords(one, other)]));
    return actual.map((item) => replaced.get(item));
  }
  if (!expected || !actual || typeof expected !== 'object' || typeof actual !== 'object') return actual;
  return Object.fromEntries(Object.entries(actual).map(([key, item]) => [key, acceptOwnWords(expected[key], item)]));
}

function tie(expected, actual, names) {
  if (typeof expected === 'string' && typeof actual === 'string') {
    const wanted = expected.match(label) ?? [];
    const found = actual.match(label) ?? [];
    if (wanted.length !== found.length) return;
    found.forEach((text, at) => {
      const id = /^<(?:uuid|kid):\?(.*)>$/.exec(text)?.[1];
      if (id) names.bind(id, wanted[at]);
    });
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    for (const [one, other] of pairs(expected, actual)) tie(one, other, names);
  } else if (expected && actual && typeof expected === 'object' && typeof actual === 'object') {
    const actualKeys = Object.keys(actual);
    Object.keys(expected).forEach((key) => {
      if (key in actual) tie(expected[key], actual[key], names);
    });
    const newKeys = actualKeys.filter((key) => key.match(unsettled));
    const missing = Object.keys(expected).filter((key) => key.match(label) && !(key in actual));
    if (newKeys.length === missing.length)
      newKeys.forEach((key, at) => {
        tie(missing[at], key, names);
        tie(expected[missing[at]], actual[key], names);
      });
  }
}

function mapStrings(value, change) {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]));
}
