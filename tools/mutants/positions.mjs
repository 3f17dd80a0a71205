// Where code of a source stands in the module that was built of it, by its source map (ECMA-426).
import { readFileSync } from 'node:fs';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const known = new Map();

/**
 * The offset in a built module of what stands in its source at a line and column, both from 1; undefined if nothing was made of it.
 * @param {string} file the module, beside which its source map lies
 */
export function generatedOffset(file, { line, column }) {
  if (!known.has(file)) known.set(file, read(file));
  const { segments, starts } = known.get(file);
  const ofLine = segments.filter((one) => one.sourceLine === line - 1 && one.sourceColumn <= column - 1);
  const nearest = ofLine.reduce((best, one) => (best && best.sourceColumn >= one.sourceColumn ? best : one), undefined);
  return nearest && starts[nearest.line] + nearest.column;
}

function read(file) {
  const { mappings } = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
  const starts = [0];
  for (const text of readFileSync(file, 'utf8').split('\n')) starts.push(starts.at(-1) + text.length + 1);
  return { segments: decoded(mappings), starts };
}

/** The segments of a map: lines and columns from 0. */
function decoded(mappings) {
  const segments = [];
  let [sourceLine, sourceColumn] = [0, 0];
  for (const [line, text] of mappings.split(';').entries()) {
    let column = 0;
    for (const segment of text.split(',').filter(Boolean)) {
      const [byColumn = 0, , bySourceLine = 0, bySourceColumn = 0] = numbersIn(segment);
      column += byColumn;
      sourceLine += bySourceLine;
      sourceColumn += bySourceColumn;
      segments.push({ line, column, sourceLine, sourceColumn });
    }
  }
  return segments;
}

function numbersIn(segment) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const letter of segment) {
    const digit = digits.indexOf(letter);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
