import { Refusal } from './refusal.js';
import { createSpool, type Spool, SpooledInput } from './spool.js';

/** Up to so many bytes a text is parsed in one go: that takes half as long, and less than a hundred megabytes. */
export const smallText = 8 * 1024 * 1024;

const malformed = () => new Refusal('malformed', 'The body is not valid JSON', { field: 'body' });

/** The value of a JSON text. Throws `malformed`. */
export function parsedJson(text: string): unknown {
  try {
    // RFC 8259 section 8.1 lets parsers ignore a byte order mark
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw malformed();
  }
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
      // whoever sends it listens for an answer when all of it is sent
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
      parse(() => parser.write(bytes));
      if (lists > 1) throw new Refusal('malformed', `The body has "${list}" twice`, { field: list });
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
