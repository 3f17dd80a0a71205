import { isNestedDeeper } from '../../services/core/json-file.js';
import type { Step } from '../../services/realms/files/shape.js';
import { isReprinted } from './literals.js';
import type { RecordPlace } from './origins.js';
import { type Parsed, prototypeKey } from './parsed.js';

/** The tokens of a JSON text: texts, punctuation, and literals. */
export const jsonTokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

interface Frame {
  container: unknown;
  offset: number;
  members: Map<Step, number>;
  isList: boolean;
  key: Step;
  awaitsKey: boolean;
}

/**
 * Reads a JSON text. Throws a RangeError for an invalid text with too many levels. JSON.parse is a hundred times as
 * fast as a parser with positions, so positions are computed on demand.
 */
export function parseJson(text: string, mostLevels: number): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // each of the attempts below would take as long as the first one, and their number grows with the levels
    if (isNestedDeeper(text, mostLevels)) throw new RangeError();
    const message = 'The JSON syntax is wrong at this place';
    return { errors: [{ offset: offsetOfError(text), message, isSyntax: true }] };
  }
  const { errors, written } = walk(text, value);
  if (errors.length > 0) return { errors };
  return { value, locate: (record) => void walk(text, value, record), written, errors };
}

/**
 * Follows a valid text and its value side by side. Returns repeated keys of objects, and numbers as they are written.
 */
function walk(text: string, value: unknown, record?: RecordPlace): Required<Pick<Parsed, 'errors' | 'written'>> {
  const errors: Parsed['errors'] = [];
  const written: NonNullable<Parsed['written']> = [];
  const frames: Frame[] = [];
  for (const { 0: token, index } of text.matchAll(jsonTokens)) {
    const frame = frames.at(-1);
    if (token === ',' && frame) {
      if (frame.isList) frame.key = Number(frame.key) + 1;
      frame.awaitsKey = !frame.isList;
    } else if (token === '}' || token === ']') {
      frames.pop();
      if (record && frame?.container) record(frame.container, frame.offset, frame.members);
    } else if (token !== ':') {
      if (frame?.awaitsKey) {
        frame.key = JSON.parse(token) as string;
        frame.awaitsKey = false;
        if (frame.members.has(frame.key)) errors.push({ offset: index, message: `The key ${token} is used twice` });
        if (frame.key === prototypeKey.name) errors.push({ offset: index, message: prototypeKey.message });
        frame.members.set(frame.key, index);
        continue;
      }
      if (frame?.isList) frame.members.set(frame.key, index);
      if (token !== '{' && token !== '[') {
        const isNumber = /^[-\d]/.test(token);
        if (isNumber && frame && isReprinted(token)) {
          written.push({ container: frame.container as object, key: frame.key, text: token });
        }
        continue;
      }
      const container = frame ? (frame.container as Record<Step, unknown>)?.[frame.key] : value;
      const isList = token === '[';
      frames.push({ container, offset: index, members: new Map(), isList, key: 0, awaitsKey: !isList });
    }
  }
  return { errors, written };
}

/**
 * The offset of the first character that cannot continue a JSON text. The messages of JSON.parse have it only sometimes,
 * and quote the text, in which there may be secrets.
 */
function offsetOfError(text: string): number {
  let valid = 0;
  let wrong = text.length + 1;
  while (wrong - valid > 1) {
    const middle = Math.floor((valid + wrong) / 2);
    if (canContinue(text.slice(0, middle))) valid = middle;
    else wrong = middle;
  }
  return valid;
}

/** Whether a text is valid JSON or the start of a valid text. */
function canContinue(start: string): boolean {
  try {
    JSON.parse(start);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    return /Unterminated|end of JSON input/.test(message) || Number(position) === start.length;
  }
}
