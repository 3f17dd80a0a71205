import pg from 'pg';
import { atOnce, type ChangeListener, channel, type StoredChange, statements } from './changes.js';

const patience = 10_000;
const heartbeat = 15_000;
const longestPause = 5000;
/** Rows become visible in another order than that of their seq: so far back they are read again after an interruption. */
const disorder = 1000;

/**
 * Listens on a connection of its own. A notice holds seq and event, so that rows of this process are never read and
 * late ones never missed. When the connection is lost another one is made, and what was missed is read.
 */
export async function listenOnPostgresql(url: string, listener: ChangeListener): Promise<() => Promise<void>> {
  let client: pg.Client | undefined;
  /** the highest seq that was heard of; undefined before the first connection */
  let last: number | undefined;
  let noticed: number[] = [];
  let reading = false;
  let failures = 0;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const own = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
      keepAlive: true,
      application_name: channel,
    });
    client = own;
    noticed = [];
    reading = true; // notices wait until what was missed has been read
    own.on('error', (error) => lost(own, error));
    own.on('end', () => lost(own, new Error('the connection was closed')));
    own.on('notification', ({ payload = '' }) => {
      const [seq = '', eventId = ''] = payload.split(' ');
      heard(Number(seq));
      if (listener.knows(eventId)) return;
      noticed.push(Number(seq));
      if (!reading) void readNoticed(own);
    });
    try {
      await own.connect();
      await own.query(`LISTEN ${channel}`);
      if (last === undefined) await skipOlder(own);
      else await readMissed(own, Math.max(0, last - disorder));
      failures = 0;
      await readNoticed(own);
    } catch (error) {
      lost(own, error);
    }
  }

  const heard = (seq: number): void => {
    if (last === undefined || seq > last) last = seq;
  };

  async function skipOlder(own: pg.Client): Promise<void> {
    const { rows } = await own.query<StoredChange>(statements.youngest);
    last = Math.max(last ?? 0, rows[0]?.seq ?? 0);
    for (const { eventId } of rows) listener.skip(eventId);
  }

  async function readMissed(own: pg.Client, from: number): Promise<void> {
    for (let seq: number | undefined = from; seq !== undefined; ) {
      const { rows }: { rows: StoredChange[] } = await own.query<StoredChange>(statements.after('$1'), [seq]);
      deliver(rows);
      seq = rows.length < atOnce ? undefined : rows.at(-1)?.seq;
    }
  }

  async function readNoticed(own: pg.Client): Promise<void> {
    reading = true;
    try {
      while (noticed.length > 0 && client === own) {
        const { rows } = await own.query<StoredChange>(statements.among, [noticed.splice(0, atOnce)]);
        deliver(rows);
      }
    } catch (error) {
      lost(own, error);
    } finally {
      if (client === own) reading = false;
    }
  }

  function deliver(rows: StoredChange[]): void {
    for (const row of rows) {
      heard(row.seq);
      if (!listener.knows(row.eventId)) listener.receive(row);
    }
  }

  function lost(own: pg.Client, error: unknown): void {
    if (client !== own) return;
    client = undefined;
    own.end().catch(() => undefined);
    if (closed) return;
    if (failures === 0) listener.failed(error);
    retry = setTimeout(connect, Math.min(50 * 2 ** failures, longestPause));
    retry.unref();
    failures += 1;
  }

  // finds out that the other side is gone without notice
  const beat = setInterval(() => {
    const own = client;
    if (own && !reading) own.query('SELECT 1').catch((error) => lost(own, error));
  }, heartbeat);
  beat.unref();

  await connect();
  return async () => {
    closed = true;
    clearInterval(beat);
    clearTimeout(retry);
    const own = client;
    client = undefined;
    if (own) await within(1000, own.end());
  };
}

/** Waits for `work`, however it ends, but not longer than that many milliseconds. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
