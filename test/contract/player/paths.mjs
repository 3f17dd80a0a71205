// Paths into JSON values: 'a.b', 'list[0].id', 'list[name=x].id', '[].x' (every item), '*' (every field), '["key.with.dots"]'.

/** Splits a path into parts: { field }, { index }, { where, equals } or { every: true }. */
export function parsePath(text) {
  const token = /\.?\["((?:[^"\\]|\\.)*)"\]|\[(\d*)\]|\[([^=\]]+)=([^\]]*)\]|\.?([^.[\]]+)/y;
  const parts = [];
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (!match) throw new Error(`bad path '${text}' at position ${at}`);
    const [, quoted, index, where, equals, field] = match;
    if (quoted !== undefined) parts.push({ field: quoted });
    else if (index !== undefined) parts.push(index === '' ? { every: true } : { index: Number(index) });
    else if (where !== undefined) parts.push({ where, equals });
    else if (field === '*') parts.push({ every: true });
    else parts.push({ field });
  }
  return parts;
}

function child(value, part) {
  if (value === null || typeof value !== 'object') return undefined;
  if (part.index !== undefined) return value[part.index];
  if (part.where !== undefined)
    return Array.isArray(value) ? value.find((item) => String(item?.[part.where]) === part.equals) : undefined;
  return value[part.field];
}

/** Reads the value at a path; undefined when there is none. */
export function readPath(value, text) {
  return parsePath(text).reduce(child, value);
}

/** Removes what a path names (in place). */
export function removePath(value, text) {
  remove(value, parsePath(text));
}

function remove(value, [part, ...rest]) {
  if (value === null || typeof value !== 'object') return;
  if (part.every) {
    const keys = Object.keys(value);
    if (rest.length > 0) for (const key of keys) remove(value[key], rest);
    else if (Array.isArray(value)) value.length = 0;
    else for (const key of keys) delete value[key];
    return;
  }
  if (rest.length) return remove(child(value, part), rest);
  if (part.index !== undefined) value.splice(part.index, 1);
  else if (part.where !== undefined) value.splice(value.indexOf(child(value, part)), 1);
  else delete value[part.field];
}
