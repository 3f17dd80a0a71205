import { limit } from '../../config/limits.js';
import { Refusal } from './refusal.js';
import { createSpool, type Spool, SpooledInput } from './spool.js';

/** Up to so many bytes a text is parsed in one go, which takes half as long and holds up the process for some milliseconds. */
const smallText = 512 * 1024;

/** Most objects and lists within each other. Code that reads a value calls itself for each level. */
const mostLevels = limit('Requests', 'Objects and lists within each other in a JSON body', 200, 'levels');

const tooDeep = () =>
  new Refusal('invalid', `The body must have at most ${mostLevels} levels of objects and lists`, { field: 'body' });

const quote = 0x22;
const backslash = 0x5c;
/** `[` and `{`, and `]` and `}`, differ in this bit only. */
const braces = 0x20;

/** Follows the nesting of a JSON text that comes in pieces. Each call returns the most levels so far, and ends early above `most`. */
function nesting(most: number): (piece: string | Uint8Array) => number {
  let deepest = 0;
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const code = typeof piece === 'string' ? piece.charCodeAt(at) : (piece[at] as number);
      if (isEscaped) isEscaped = false;
      else if (inText) {
        if (code === quote) inText = false;
        else if (code === backslash) isEscaped = true;
      } else if (code === quote) inText = true;
      else if ((code | braces) === 0x7b) {
        depth += 1;
        if (depth > deepest) deepest = depth;
        if (deepest > most) return deepest;
      } else if ((code | braces) === 0x7d) depth -= 1;
    }
    return deepest;
  };
}

/** Whether a JSON text has more than so many objects and lists within each other. */
export const isNestedDeeper = (text: string, levels: number): boolean =>
  // it takes a character to open a level and one to close it, which the text of an error can lack
  text.length > levels && nesting(levels)(text) > levels;

/** Throws a refusal for a JSON text that is too deep. */
export function checkNesting(text: string): void {
  if (isNestedDeeper(text, mostLevels)) throw tooDeep();
}

const malformed = () => new Refusal('malformed', 'The body must be valid JSON', { field: 'body' });

/** The value of a JSON text. Throws `malformed`, or `invalid` for one that is too deep. */
export function parsedJson(text: string): unknown {
  checkNesting(text);
  let value: unknown;
  try {
    // RFC 8259 section 8.1 lets parsers ignore a byte order mark
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw malformed();
  }
  const path = offsetOfPrototypeName(text) === undefined ? undefined : pathOfPrototype(value);
  if (path) throw new Refusal('invalid', `The key \`${path.join('.')}\` is not allowed`, { field: path.join('.') });
  return value;
}

const prototypeName = '__proto__';
const escapeOf = (character: string): string => `\\\\u00${character.charCodeAt(0).toString(16).replace('f', '[fF]')}`;
/** The name as a JSON text can have it: each character as it is or escaped. */
const writtenName = new RegExp(`"${[...prototypeName].map((one) => `(?:${one}|${escapeOf(one)})`).join('')}"`);
/** Most characters of the name as a JSON text can have it. */
const longestName = prototypeName.length * '\\u005f'.length + 2;

/** Where a JSON text has the text `__proto__`, which can be a key or a value; undefined if it does not. */
function offsetOfPrototypeName(text: string): number | undefined {
  const at = text.search(writtenName);
  return at < 0 ? undefined : at;
}

/** The path of the first key `__proto__` of a value. */
function pathOfPrototype(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, prototypeName)) return [prototypeName];
  for (const [name, member] of Object.entries(value)) {
    const below = pathOfPrototype(member);
    if (below) return [name, ...below];
  }
  return undefined;
}

/** Refuses a text in pieces that may have the key `__proto__`: the parser of pieces would take it for the prototype. */
function prototypeGuard(): (piece: Uint8Array) => void {
  let before = '';
  let lines = 1;
  const countLines = (text: string) => text.split('\n').length - 1;
  return (piece) => {
    const text = before + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    const at = offsetOfPrototypeName(text);
    if (at !== undefined) {
      const line = lines + countLines(text.slice(0, at));
      throw new Refusal('invalid', `The key \`${prototypeName}\` in line ${line} is not allowed`, {
        field: prototypeName,
      });
    }
    before = text.slice(-longestName);
    lines += countLines(text.slice(0, text.length - before.length));
  };
}

/**
 * The value of a JSON text that arrives in pieces. Of a large one the list at the field `list` of the outermost object is
 * put aside in a file while the text is read, so that it is never in memory as a whole; then it is a `SpooledInput`.
 * Throws `malformed`, and whatever the pieces throw.
 */
export async function readJsonFile(chunks: AsyncIterable<Uint8Array>, list: string): Promise<unknown> {
  const first: Uint8Array[] = [];
  let size = 0;
  let reader: Awaited<ReturnType<typeof createReader>> | undefined;
  let refusal: unknown;
  const take = async (chunk: Uint8Array): Promise<void> => {
    if (reader) return reader.take(chunk);
    first.push(chunk);
    size += chunk.length;
    if (size <= smallText) return;
    reader = await createReader(list);
    for (const early of first.splice(0)) await reader.take(early);
  };
  try {
    for await (const chunk of chunks) {
      // the sender reads the answer only after sending everything
      if (refusal === undefined)
        await take(chunk).catch((error) => {
          refusal = error;
        });
    }
    if (refusal !== undefined) throw refusal;
    return reader ? await reader.end() : parsedJson(Buffer.concat(first).toString('utf8'));
  } catch (error) {
    await reader?.close();
    throw error;
  }
}

async function createReader(list: string) {
  // only large files need it
  const { JSONParser } = await import('@streamparser/json');
  const aside = await createSpool();
  const parser = new JSONParser({ paths: ['$', `$.${list}`, `$.${list}.*`], stringBufferSize: 64 * 1024 });
  let root: unknown;
  let lists = 0;
  let isFirst = true;
  const levelsOf = nesting(mostLevels);
  const refusePrototype = prototypeGuard();
  parser.onValue = ({ value, parent, stack }) => {
    if (stack.length === 0) root = value;
    else if (stack.length === 1) lists += 1;
    else if (Array.isArray(parent)) {
      aside.add(value);
      // here nobody needs it any more
      parent.length = 0;
    }
  };
  return {
    async take(chunk: Uint8Array) {
      const bytes = isFirst ? withoutMark(chunk) : chunk;
      isFirst = false;
      if (levelsOf(bytes) > mostLevels) throw tooDeep();
      refusePrototype(bytes);
      parse(() => parser.write(bytes));
      if (lists > 1) throw new Refusal('malformed', `The body must have "${list}" only once`, { field: list });
      await aside.flush();
    },
    async end(): Promise<unknown> {
      if (!parser.isEnded) parse(() => parser.end());
      if (!parser.isEnded) throw malformed();
      await aside.flush();
      return spooled(root, list, aside);
    },
    close: () => aside.close(),
  };
}

/** What is not valid JSON makes the parser throw. */
function parse(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw error instanceof Refusal ? error : malformed();
  }
}

function spooled(root: unknown, list: string, aside: Spool): SpooledInput {
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return new SpooledInput(root, aside);
  const { [list]: emptied, ...rest } = root as Record<string, unknown>;
  // anything but a list is for the decoder to refuse
  return new SpooledInput(Array.isArray(emptied) ? rest : root, aside);
}

/** Without a byte order mark; a chunk that has only part of one does not come out of a socket or a file. */
const withoutMark = (chunk: Uint8Array): Uint8Array =>
  chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
