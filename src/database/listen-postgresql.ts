import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { atOnce, type ChangeListener, channel, type Listening, type StoredChange, statements } from './changes.js';
import type { Fence } from './fence.js';
import { connectToPrimary } from './hosts-postgresql.js';
import { createSeen } from './seen-changes.js';

const patience = 10_000;
const longestPause = 5000;
/**
 * Milliseconds between reads of the table without a notice. A notice can be lost with the process that would have sent
 * it.
 */
const pollInterval = 400;
/** Writes within so many milliseconds share a notice. */
const noticeInterval = 10;

/**
 * Reads the change rows on a separate connection when another process announces new ones, and every 400 ms. Notices are
 * sent after the commit, so that no transaction waits for the lock that they take. After a loss of the connection it
 * makes a new one and reads the missed rows.
 */
export async function listenOnPostgresql(url: string, listener: ChangeListener, fence: Fence): Promise<Listening> {
  const self = randomUUID();
  const seen = createSeen();
  let client: pg.Client | undefined;
  let begun = false;
  let reading = false;
  /** whether there may be rows that the running read does not see */
  let again = false;
  /** whether other processes have to be notified of rows of this process */
  let isToTell = false;
  let failures = 0;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let notice: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    let own: pg.Client;
    try {
      own = await connectToPrimary(url, fence, {
        connectionTimeoutMillis: patience,
        query_timeout: patience,
        keepAlive: true,
        application_name: channel,
      });
    } catch (error) {
      return connectAgain(error);
    }
    if (closed) return void own.end().catch(() => undefined);
    client = own;
    reading = false;
    own.on('error', (error) => lost(own, error));
    own.on('end', () => lost(own, new Error('the connection was closed')));
    own.on('notification', ({ payload }) => {
      if (payload !== self) void read(own);
    });
    try {
      await own.query(`LISTEN ${channel}`);
      if (begun) await goOn(own);
      else await skipOlder(own);
      failures = 0;
    } catch (error) {
      lost(own, error);
    }
  }

  async function skipOlder(own: pg.Client): Promise<void> {
    const { rows } = await own.query<StoredChange>(statements.youngest);
    rows.reverse();
    seen.begin(rows.map(({ seq }) => seq));
    for (const { eventId } of rows) listener.skip(eventId);
    begun = true;
  }

  /**
   * Reads the missed rows. A promoted standby can lack the last rows of the primary, and assigns their numbers again.
   */
  async function goOn(own: pg.Client): Promise<void> {
    const { rows } = await own.query<StoredChange>(statements.youngest);
    const isShorter = (rows[0]?.seq ?? 0) < seen.next(Date.now()).last;
    const oldest = rows.at(-1);
    if (isShorter) seen.begin(oldest ? [oldest.seq] : []);
    await read(own);
  }

  /** Sends a pending notice to the other processes, and reads all new rows. One statement runs at a time. */
  async function read(own: pg.Client): Promise<void> {
    again = true;
    if (reading || !begun) return;
    reading = true;
    try {
      while (again && client === own) {
        again = false;
        if (isToTell) {
          isToTell = false;
          await own.query({ name: 'tell', text: 'SELECT pg_notify($1, $2)', values: [channel, self] });
        }
        const { last, gaps } = seen.next(Date.now());
        const { rows } = await own.query<StoredChange>({
          name: 'changes',
          text: statements.unseen,
          values: [last, gaps],
        });
        deliver(rows);
        if (rows.length === atOnce) again = true;
      }
    } catch (error) {
      lost(own, error);
    } finally {
      if (client === own) reading = false;
    }
  }

  function deliver(rows: readonly StoredChange[]): void {
    for (const row of rows) {
      seen.add(row.seq, Date.now());
      if (!listener.knows(row.eventId)) listener.receive(row);
    }
  }

  function lost(own: pg.Client, error: unknown): void {
    if (client !== own) return;
    client = undefined;
    own.end().catch(() => undefined);
    connectAgain(error);
  }

  function connectAgain(error: unknown): void {
    if (closed) return;
    if (failures === 0) listener.failed(error);
    retry = setTimeout(connect, Math.min(50 * 2 ** failures, longestPause));
    retry.unref();
    failures += 1;
  }

  function tell(): void {
    notice ??= setTimeout(() => {
      notice = undefined;
      isToTell = true;
      if (client) void read(client);
    }, noticeInterval);
    notice.unref();
  }

  const poll = setInterval(() => {
    if (client) void read(client);
  }, pollInterval);
  poll.unref();

  await connect();
  return {
    tell,
    async close() {
      closed = true;
      clearInterval(poll);
      clearTimeout(retry);
      clearTimeout(notice);
      const own = client;
      client = undefined;
      if (own) await within(1000, own.end());
    },
  };
}

/** Waits for `work` to succeed or fail, but at most for this number of milliseconds. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
