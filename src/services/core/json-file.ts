import { limit } from '../../config/limits.js';
import { sharedBreaks } from '../../database/turns.js';
import { Refusal } from './refusal.js';
import { createSpool, type Spool, SpooledInput } from './spool.js';

/**
 * Texts up to this number of bytes are parsed in one go, which takes half as long and holds up the process for some
 * milliseconds.
 */
const smallText = 512 * 1024;

/** Maximum nesting of objects and lists. Code that reads a value is recursive. */
const mostLevels = limit('Requests', 'Objects and lists within each other in a JSON body', 200, 'levels');

/** The limit counts commas and opening brackets, because parsers and decoders take time for each entry. */
const counted = 'entries, objects, and lists';
/**
 * Maximum entries, objects, and lists of a body that is no file. Up to this number, a text of the usual size is parsed
 * in one go.
 */
const mostEntries = limit('Requests', 'Entries, objects, and lists of a JSON body', 100_000, counted);
/** Maximum entries, objects, and lists of a file, without the users that are written to a spool. */
const mostWithFiles = limit(
  'Requests',
  'Entries, objects, and lists of a realm file, or a GraphQL request',
  5_000_000,
  counted,
);
/** Bytes up to which a text with few entries is parsed in one go. */
const usualText = 10 * 1024 * 1024;
type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes of a piece after which other requests run. */
const piece = 16 * 1024;

const tooMany = (most: number) =>
  new Refusal('invalid', `The body must have at most ${most} ${counted}`, { field: 'body' });

const tooDeep = () =>
  new Refusal('invalid', `The body must have at most ${mostLevels} levels of objects and lists`, { field: 'body' });

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** `[` and `{`, and `]` and `}`, differ in this bit only. */
const braces = 0x20;

/**
 * Scans a JSON text in pieces: `deepest` is the maximum nesting so far, `entries` the number of its commas and opening
 * brackets.
 */
class Outline {
  deepest = 0;
  entries = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  /** Scans a piece, and stops early above this nesting. */
  take(piece: string | Uint8Array, most = mostLevels): void {
    for (let at = 0; at < piece.length; at += 1) {
      const code = typeof piece === 'string' ? piece.charCodeAt(at) : (piece[at] as number);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#inText) {
        if (code === quote) this.#inText = false;
        else if (code === backslash) this.#isEscaped = true;
      } else if (code === quote) this.#inText = true;
      else if (code === comma) this.entries += 1;
      else if ((code | braces) === 0x7b) {
        this.entries += 1;
        this.#depth += 1;
        if (this.#depth > this.deepest) this.deepest = this.#depth;
        if (this.deepest > most) return;
      } else if ((code | braces) === 0x7d) this.#depth -= 1;
    }
  }
}

/** Whether the objects and lists of a JSON text are nested more deeply than this. */
export function isNestedDeeper(text: string, levels: number): boolean {
  // each level takes at least one character, because an invalid text can lack the closing one
  if (text.length <= levels) return false;
  const outline = new Outline();
  outline.take(text, levels);
  return outline.deepest > levels;
}

/** Throws a refusal for a JSON text that is too deep, or has too many entries. */
export function checkJsonText(text: string): void {
  const outline = new Outline();
  outline.take(text);
  requireFitting(outline, mostEntries);
}

const malformed = () => new Refusal('malformed', 'The body must be valid JSON', { field: 'body' });

/** Parses a JSON text. Throws `malformed`, or `invalid` if it is too deep or has too many entries. */
export function parsedJson(text: string): unknown {
  checkJsonText(text);
  return parsedValue(text);
}

function requireFitting({ deepest, entries }: Outline, most: number): void {
  if (deepest > mostLevels) throw tooDeep();
  if (entries > most) throw tooMany(most);
}

function parsedValue(text: string): unknown {
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
/** The possible forms of the name in a JSON text: each character plain or escaped. */
const writtenName = new RegExp(`"${[...prototypeName].map((one) => `(?:${one}|${escapeOf(one)})`).join('')}"`);
/** Maximum characters of the name in a JSON text. */
const longestName = prototypeName.length * '\\u005f'.length + 2;

/** The offset of the text `__proto__` in a JSON text, as a key or a value; undefined if it does not occur. */
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

/** Refuses a text in pieces that may have the key `__proto__`: the parser of pieces would set the prototype. */
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
 * Reads a JSON text that arrives in pieces. In a large one, the list in the field `list` of the outermost object is
 * written to a file while the text is read. Memory never holds all of it. The result is then a `SpooledInput`. Throws
 * `malformed`, and any error of the pieces.
 */
export async function readJsonFile(chunks: AsyncIterable<Uint8Array>, list: string): Promise<unknown> {
  return readPieces(chunks, list);
}

/**
 * Reads the JSON text of a request that can contain files. A large one is read in pieces, and other requests run in
 * between. Throws `malformed`, `invalid` if it is too deep or has too many entries, and any error of the pieces.
 */
export const readLargeJson = (chunks: Chunks): Promise<unknown> => readPieces(chunks, undefined);

/**
 * Reads the JSON text of a body that is no file. Throws `malformed`, `invalid` if it is too deep or has too many
 * entries, and any error of the pieces.
 */
export async function readJsonBody(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  const outline = new Outline();
  const all: Uint8Array[] = [];
  for await (const some of inPieces(chunks)) {
    outline.take(some);
    // the sender reads the answer only after sending everything
    if (outline.entries <= mostEntries) all.push(some);
  }
  requireFitting(outline, mostEntries);
  return parsedValue(Buffer.concat(all).toString('utf8'));
}

/** Small pieces, with others in between. */
async function* inPieces(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const pause = sharedBreaks();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += piece) {
      await pause();
      yield chunk.subarray(at, at + piece);
    }
  }
}

async function readPieces(chunks: Chunks, list: string | undefined): Promise<unknown> {
  const outline = new Outline();
  const first: Uint8Array[] = [];
  let size = 0;
  let reader: Awaited<ReturnType<typeof createReader>> | undefined;
  let refusal: unknown;
  // without a list to put aside, few entries are parsed in one go
  const isSmall = (): boolean =>
    size <= smallText || (list === undefined && size <= usualText && outline.entries <= mostEntries);
  const take = async (some: Uint8Array): Promise<void> => {
    outline.take(some);
    requireFitting(outline, list === undefined ? mostWithFiles : Number.POSITIVE_INFINITY);
    if (reader) return reader.take(some);
    first.push(some);
    size += some.length;
    if (isSmall()) return;
    reader = await createReader(list);
    const pause = sharedBreaks();
    for (const early of first.splice(0)) {
      await pause();
      await reader.take(early);
    }
  };
  try {
    for await (const some of inPieces(chunks)) {
      // the sender reads the answer only after sending everything
      if (refusal === undefined)
        await take(some).catch((error) => {
          refusal = error;
        });
    }
    if (refusal !== undefined) throw refusal;
    return reader ? await reader.end() : parsedValue(Buffer.concat(first).toString('utf8'));
  } catch (error) {
    await reader?.close();
    throw error;
  }
}

async function createReader(list: string | undefined) {
  // only large files need it
  const { JSONParser } = await import('@streamparser/json');
  const aside = list === undefined ? undefined : await createSpool();
  const paths = list === undefined ? ['$'] : ['$', `$.${list}`, `$.${list}.*`];
  const parser = new JSONParser({ paths, stringBufferSize: 64 * 1024 });
  let root: unknown;
  let lists = 0;
  let isFirst = true;
  const refusePrototype = prototypeGuard();
  parser.onValue = ({ value, parent, stack }) => {
    if (stack.length === 0) root = value;
    else if (stack.length === 1) lists += 1;
    else if (Array.isArray(parent)) {
      aside?.add(value);
      // the entries are no longer needed in memory
      parent.length = 0;
    }
  };
  return {
    async take(chunk: Uint8Array) {
      const bytes = isFirst ? withoutMark(chunk) : chunk;
      isFirst = false;
      refusePrototype(bytes);
      parse(() => parser.write(bytes));
      if (lists > 1) throw new Refusal('malformed', `The body must have "${list}" only once`, { field: list });
      await aside?.flush();
    },
    async end(): Promise<unknown> {
      if (!parser.isEnded) parse(() => parser.end());
      if (!parser.isEnded) throw malformed();
      if (list === undefined || !aside) return root;
      await aside.flush();
      return spooled(root, list, aside);
    },
    close: async () => aside?.close(),
  };
}

/** Runs the parser. Its error for invalid JSON becomes `malformed`. */
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
  // the decoder refuses anything but a list
  return new SpooledInput(Array.isArray(emptied) ? rest : root, aside);
}

/** Without a byte order mark; a socket or a file never gives a chunk with only part of one. */
const withoutMark = (chunk: Uint8Array): Uint8Array =>
  chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
