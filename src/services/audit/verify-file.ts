import { createReadStream } from 'node:fs';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { linesIn } from '../core/lines.js';
import { blockType } from './block.js';
import { addFinding, type Verdict } from './verdict.js';

/** Lines of blocks that are compared at once. */
const atOnce = 500;

const BlockLine = z.object({
  id: z.string(),
  type: z.literal(blockType),
  data: z.object({ number: z.int32() }),
});

/** A block as a line of the audit file states it. */
interface Stated {
  number: number;
  hash: string;
}

/**
 * Compares the blocks in a copy of the audit file with the database, a few lines at a time, and adds the differences to
 * the verdict. Returns the number of blocks in the copy. Throws for a file that cannot be read.
 */
export async function compareFile(
  { database }: Pick<Services, 'database'>,
  verdict: Verdict,
  path: string,
): Promise<number> {
  let compared = 0;
  for await (const stated of statedIn(path)) {
    const numbers = stated.map(({ number }) => number);
    const stored = await database.read.auditBlock.findMany({
      where: { number: { in: numbers } },
      select: { id: true, number: true },
    });
    const hashes = new Map(stored.map(({ id, number }) => [number, id]));
    for (const { number, hash } of stated) {
      const present = hashes.get(number);
      if (present === hash) continue;
      const how = present === undefined ? 'is missing in' : 'has another hash in';
      const text = `Block ${number}, which the file has with the hash ${hash}, ${how} the database.`;
      addFinding(verdict, { kind: 'fileDiffers', block: number, text });
    }
    compared += stated.length;
  }
  return compared;
}

async function* statedIn(path: string): AsyncGenerator<Stated[]> {
  let some: Stated[] = [];
  for await (const line of linesIn(createReadStream(path))) {
    const block = BlockLine.safeParse(parsed(line));
    if (!block.success) continue;
    some.push({ number: block.data.data.number, hash: block.data.id });
    if (some.length < atOnce) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** Undefined for a line that a full disk or the end of a process has cut off. */
function parsed(line: string): unknown {
  if (!line.includes(blockType)) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
