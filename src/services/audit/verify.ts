import type { Services } from '../core/context.js';
import { afterPlace, byPlace, type Place } from '../events/place.js';
import { expiryTimes } from '../events/store.js';
import {
  type AuditEvent,
  auditEvents,
  type Block,
  blocksAfter,
  digestOf,
  type Entry,
  endOf,
  entriesOf,
  hashOf,
  placeOfProof,
} from './block.js';
import { placeOf } from './store.js';
import { addFinding, emptyVerdict, type Verdict } from './verdict.js';

type Needed = Pick<Services, 'config' | 'database' | 'sealer' | 'now'>;

/** Blocks and events that are read at once. */
const atOnce = { blocks: 20, events: 200 };

/** The previous block, as far as it is known. */
interface Before {
  number: number;
  id: string;
  lastPosition: bigint;
}

/**
 * Compares all sealed events with the blocks of the audit chain, and the blocks with one another. Reads both page by
 * page, without blocks that are sealed during the run. Undefined for a database that never had a chain.
 */
export async function verifyChain(services: Needed): Promise<Verdict | undefined> {
  const { database, config } = services;
  // in this order: a block that is stored in between only makes the end later
  const cursor = await placeOf(database.read, 'chain');
  const head = await database.read.auditBlock.findFirst({ orderBy: { number: 'desc' } });
  const reached = cursor && (cursor.position > 0n || cursor.id !== '') ? cursor : undefined;
  if (!head && !reached) return undefined;
  const verdict = emptyVerdict(config.secretsKey !== undefined);
  if (head) {
    const { number, id, sealedAt } = head;
    verdict.head = { number, hash: id, sealedAt: new Date(Number(sealedAt)).toISOString() };
    await compare(services, verdict, head);
  }
  const end = head && endOf(head);
  if (reached && (!end || byPlace(reached, end) > 0)) {
    const text = `Blocks after block ${head?.number ?? 0} are missing: events up to position ${reached.position} were sealed.`;
    addFinding(verdict, { kind: 'endMissing', block: (head?.number ?? 0) + 1, text });
  }
  verdict.unsealed = await database.read.adminEvent.count({ where: end ? afterPlace(end) : {} });
  return verdict;
}

/** Compares each block up to `head` with the one before it and with its events. */
async function compare(services: Needed, verdict: Verdict, head: Block): Promise<void> {
  const events = eventsUpTo(services, endOf(head));
  let event = await events.next();
  let before: Before = { number: 0, id: '', lastPosition: 0n };
  const expiry = expiries(services);
  // events of a block that cannot be read are met again in the range of the next one
  let hasGap = false;
  for await (const block of blocksUpTo(services, head.number)) {
    verdict.blocks += 1;
    hasGap = !follows(verdict, block, before) || hasGap;
    if (hashOf(block) === block.id) {
      checkProof(services, verdict, block);
      const expected = new Map(entriesOf(block).map((entry) => [entry.id, entry]));
      const end = endOf(block);
      while (!event.done && byPlace(event.value, end) <= 0) {
        compareEvent(verdict, { block, event: event.value, entry: expected.get(event.value.id), hasGap });
        expected.delete(event.value.id);
        event = await events.next();
      }
      for (const entry of expected.values()) {
        if (await expiry.explains(entry)) countExpired(verdict, entry);
        else addFinding(verdict, missing(block, entry));
      }
      hasGap = false;
    } else {
      const text = `Block ${block.number} was changed: its hash does not match. Its events cannot be compared.`;
      addFinding(verdict, { kind: 'blockChanged', block: block.number, text });
      hasGap = true;
    }
    before = block;
  }
}

/** Whether a block directly follows another one. Adds mismatches to the verdict. */
function follows(verdict: Verdict, block: Block, before: Before): boolean {
  const { number } = block;
  if (number !== before.number + 1) {
    const first = before.number + 1;
    const which = first === number - 1 ? `Block ${first} is` : `Blocks ${first} to ${number - 1} are`;
    addFinding(verdict, { kind: 'blockMissing', block: first, text: `${which} missing.` });
    return false;
  }
  if (block.previous !== before.id) {
    const text =
      before.number === 0
        ? 'Block 1 names a block before it.'
        : `Block ${before.number} was replaced, or block ${number}: they do not fit together.`;
    addFinding(verdict, { kind: 'blockReplaced', block: number, text });
  }
  if (block.afterPosition !== before.lastPosition) {
    const text = `Blocks between block ${before.number} and block ${number} are missing: one ends at position ${before.lastPosition}, the other begins after position ${block.afterPosition}.`;
    addFinding(verdict, { kind: 'blockMissing', block: number, text });
    return false;
  }
  return true;
}

function checkProof({ sealer }: Needed, verdict: Verdict, { id, number, proof }: Block): void {
  let opened: string | undefined;
  try {
    opened = sealer.open(proof, placeOfProof(id));
  } catch {
    // the refusal only states that it cannot be opened
  }
  if (opened === String(number)) return;
  const text = `Block ${number} was not sealed by the service: its proof does not match SECRETS_KEY.`;
  addFinding(verdict, { kind: 'proofInvalid', block: number, text });
}

interface Compared {
  block: Block;
  event: AuditEvent;
  entry: Entry | undefined;
  hasGap: boolean;
}

function compareEvent(verdict: Verdict, { block: { number }, event, entry, hasGap }: Compared): void {
  const of = `Event ${event.id} of realm ${event.realmId}, ${event.operation} ${event.resourcePath},`;
  if (!entry) {
    if (hasGap) return;
    addFinding(verdict, { kind: 'eventAdded', block: number, event: event.id, text: `${of} was added later.` });
  } else if (entry.digest !== digestOf(event)) {
    addFinding(verdict, { kind: 'eventChanged', block: number, event: event.id, text: `${of} was changed.` });
  } else {
    verdict.events += 1;
  }
}

const missing = ({ number }: Block, { id, realmId, time }: Entry) => ({
  ...{ kind: 'eventMissing' as const, block: number, event: id },
  text: `Event ${id} of realm ${realmId}, stored at ${new Date(time).toISOString()}, is missing.`,
});

function countExpired({ expired }: Verdict, { realmId }: Entry): void {
  expired[realmId] = (expired[realmId] ?? 0) + 1;
}

/**
 * Whether events are missing because they have expired. Reads the progress of the expiry again before it returns false.
 */
function expiries({ database, now }: Needed) {
  let known = new Map<string, bigint>();
  const has = ({ realmId, time }: Entry): boolean => BigInt(time) < (known.get(realmId) ?? 0n);
  return {
    async explains(entry: Entry): Promise<boolean> {
      if (has(entry)) return true;
      known = await expiryTimes(database.read, now());
      return has(entry);
    },
  };
}

/** Below all numbers of blocks, including blocks that were written manually. */
const smallest = -(2 ** 31);

async function* blocksUpTo({ database }: Needed, last: number): AsyncGenerator<Block> {
  let page: Block[];
  for (let number = smallest; ; number = page.at(-1)?.number ?? last) {
    page = await blocksAfter(database.read, number, atOnce.blocks);
    for (const block of page) if (block.number <= last) yield block;
    if (page.length < atOnce.blocks || number >= last) return;
  }
}

async function* eventsUpTo({ database }: Needed, end: Place): AsyncGenerator<AuditEvent, undefined> {
  const range = { position: { lte: end.position }, NOT: afterPlace(end) };
  let page: AuditEvent[];
  for (let after: Place | undefined; ; after = page.at(-1)) {
    page = await auditEvents(database.read, after, range, atOnce.events);
    yield* page;
    if (page.length < atOnce.events) return;
  }
}
