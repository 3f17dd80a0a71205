// Two hundred writers of the same things through two processes on one database: what they answered, what was wrong
// afterwards, how long they took, and what they waited for. Prints Markdown tables, or JSON.
import { parseArgs } from 'node:util';
import { administrator, quantile, table } from './client.mjs';
import { contend } from './contention-scenarios.mjs';
import { environment, startDatabase, startService } from './service.mjs';

const help = `node bench/contention.mjs [options]
  --database sqlite,postgresql
  --writers 200     how many write at the same moment
  --json            print the figures as JSON`;

const { values: args } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite,postgresql' },
    writers: { type: 'string', default: '200' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const writers = Number(args.writers);
const sampleEvery = 20;

/** A caller as the scenarios take it. `spent` gets the milliseconds of each write. */
function contender(admin, spent) {
  const noted = async (method, path, body) => {
    const answer = await admin.send(method, path, body);
    if (method !== 'GET') spent.push(answer.ms);
    return answer;
  };
  return {
    async send(method, path, body) {
      const { status, text, json } = await noted(method, path, body);
      return { status, body: text.startsWith('{') || text.startsWith('[') ? json() : text };
    },
    graphql: async (query, variables) => (await noted('POST', '/graphql', { query, variables })).json(),
  };
}

const waiting = `SELECT waiter."query" AS "query", waiter."wait_event" AS "event", min(holder."query") AS "holder"
  FROM pg_stat_activity waiter
  LEFT JOIN LATERAL unnest(pg_blocking_pids(waiter."pid")) blocker("pid") ON true
  LEFT JOIN pg_stat_activity holder ON holder."pid" = blocker."pid"
 WHERE waiter."datname" = current_database() AND waiter."wait_event_type" = 'Lock'
 GROUP BY waiter."pid", waiter."query", waiter."wait_event"`;
const counters = `SELECT xact_commit::int AS "commits", xact_rollback::int AS "rollbacks", deadlocks::int AS "deadlocks"
  FROM pg_stat_database WHERE datname = current_database()`;

/** The start of a statement, without what differs from one to the next. */
const shortened = (query) =>
  (query ?? '?').replace(/\s+/g, ' ').replaceAll('|', '/').replace(/"/g, '').slice(0, 90).trim();

/** Looks every 20 ms at who waits for a lock. */
async function watchPostgresql(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, application_name: 'bench' });
  client.on('error', () => undefined); // when the database is stopped after a failure, that one is to be told
  await client.connect();
  const waits = new Map();
  let running = true;
  const watched = (async () => {
    let last = performance.now();
    while (running) {
      const { rows } = await client.query(waiting);
      const now = performance.now();
      for (const { query, event, holder } of rows) {
        const key = [event, shortened(query), shortened(holder)].join(' | ');
        const known = waits.get(key) ?? {
          event,
          statement: shortened(query),
          holder: shortened(holder),
          ms: 0,
          most: 0,
        };
        known.ms += now - last;
        known.now = (known.at === now ? known.now : 0) + 1;
        known.at = now;
        known.most = Math.max(known.most, known.now);
        waits.set(key, known);
      }
      last = now;
      await new Promise((resume) => setTimeout(resume, sampleEvery));
    }
  })();
  return {
    /** the waits since the last call */
    take() {
      const list = [...waits.values()].sort((a, b) => b.ms - a.ms);
      waits.clear();
      return list.map(({ event, statement, holder, ms, most }) => ({ event, statement, holder, ms, most }));
    },
    async pause() {
      running = false;
      await watched;
    },
    /** What all connections did; one that is open tells it late, so the service must have ended. */
    async count() {
      const { rows } = await client.query(counters);
      await client.end();
      return rows[0];
    },
  };
}

async function contentionOn(dialect) {
  const database = await startDatabase(dialect);
  try {
    const environments = [await environment(database.url), await environment(database.url)];
    const services = [];
    for (const env of environments) services.push(await startService(env));
    const admins = environments.map(({ PORT }) => administrator(`http://127.0.0.1:${PORT}`, { sockets: writers }));
    const spent = [];
    const callers = admins.map((admin) => contender(admin, spent));
    const watch = dialect === 'postgresql' ? await watchPostgresql(database.url) : undefined;
    const figures = {};
    const results = await contend(callers, writers, async (name, run) => {
      watch?.take();
      spent.length = 0;
      const started = performance.now();
      const statuses = await run();
      const seconds = (performance.now() - started) / 1000;
      const sorted = spent.toSorted((a, b) => a - b);
      figures[name] = {
        seconds,
        requests: sorted.length,
        ...{ p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: sorted.at(-1) },
        ...(watch && { waits: watch.take() }),
      };
      return statuses;
    });
    await watch?.pause();
    for (const admin of admins) admin.close();
    for (const service of services) await service.stop();
    const totals = await watch?.count();
    return { scenarios: results.map((result) => ({ ...result, ...figures[result.name] })), totals };
  } finally {
    await database.stop();
  }
}

const whole = (value) => (value === undefined ? '–' : String(Math.round(value)));

function report(dialect, { scenarios, totals }) {
  const locks = dialect === 'postgresql';
  const head = ['writers do', 'answers', 'wrong', 'requests', 'seconds', 'p50 ms', 'p99 ms', 'max ms'];
  if (locks) head.push('waited for locks, ms');
  const lines = scenarios.map(({ name, outcomes, wrong, requests, seconds, p50, p99, max, waits }) => {
    const answers = Object.entries(outcomes).map(([status, count]) => `${count} × ${status}`);
    const cells = [name, answers.join(', '), wrong.join('; ') || 'nothing', requests, seconds.toFixed(2)];
    cells.push(...[p50, p99, max].map(whole));
    if (locks) cells.push(whole(waits.reduce((sum, { ms }) => sum + ms, 0)));
    return cells;
  });
  const parts = [`### ${writers} writers, two processes, ${dialect}`, table(head, lines)];
  if (locks) {
    const all = new Map();
    for (const { waits } of scenarios) {
      for (const { event, statement, holder, ms, most } of waits) {
        const known = all.get(`${event} ${statement}`) ?? { event, statement, ms: 0, most: 0, holders: new Map() };
        known.ms += ms;
        known.most = Math.max(known.most, most);
        known.holders.set(holder, (known.holders.get(holder) ?? 0) + ms);
        all.set(`${event} ${statement}`, known);
      }
    }
    const worst = [...all.values()].sort((a, b) => b.ms - a.ms).slice(0, 15);
    parts.push(
      `${totals.commits} commits, ${totals.rollbacks} rollbacks, ${totals.deadlocks} deadlocks.`,
      `What waited for locks, sampled every ${sampleEvery} ms (the times of all connections together):`,
      table(
        ['statement that waits', 'lock', 'ms', 'most at once', 'mostly behind'],
        worst.map(({ event, statement, ms, most, holders }) => {
          const [holder] = [...holders].sort(([, a], [, b]) => b - a)[0];
          return [`\`${statement}\``, event, whole(ms), most, `\`${holder}\``];
        }),
      ),
    );
  } else {
    parts.push(
      'SQLite has one writer at a time: whatever an answer takes beyond the few milliseconds of the write alone, it waited for the lock, within its process in the order of arrival, between the processes by trying again.',
    );
  }
  return parts.join('\n\n');
}

if (args.help) console.log(help);
else {
  const results = {};
  for (const dialect of args.database.split(',')) {
    results[dialect] = await contentionOn(dialect);
    if (!args.json) console.log(`\n${report(dialect, results[dialect])}`);
    if (results[dialect].scenarios.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
  }
  if (args.json) console.log(JSON.stringify(results, null, 1));
}
