// What standbys take off a primary: callers that list users as fast as they are answered, with none, one and two standbys. Prints a
// Markdown table.
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startPostgresql, startStandby } from '../test/support/postgresql.mjs';
import { administrator, table } from './client.mjs';
import { environment, startService } from './service.mjs';

const { values: args } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, callers: { type: 'string', default: '8' } },
});
const realm = 'listed';

/** Seconds of CPU that a server and its sessions have taken so far. Sessions stay open during the measurement. */
function cpuSeconds(server) {
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')];
      } catch {
        return []; // it has ended
      }
    })
    .filter(([, parent]) => Number(parent) === server)
    .reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0);
  return ticks / 100;
}

/** Reads per second, and milliseconds of CPU of the primary for each. */
async function readsWith(count) {
  const primary = await startPostgresql({ replicated: true });
  const standbys = [];
  try {
    for (let at = 0; at < count; at += 1) standbys.push(await startStandby(primary));
    const hosts = standbys.map(({ url }) => new URL(url).host).join(',');
    const env = await environment(primary.url);
    const service = await startService({
      ...env,
      ...(count > 0 && { DATABASE_READ_URL: `postgresql://postgres@${hosts}/postgres` }),
    });
    const admin = administrator(`http://127.0.0.1:${env.PORT}`);
    const users = Array.from({ length: 2000 }, (_, at) => ({
      username: `user-${at}`,
      attributes: { n: [String(at)] },
    }));
    await admin.call('POST', '/', { realm, enabled: true, users });
    let reads = 0;
    let running = true;
    const callers = Array.from({ length: Number(args.callers) }, async () => {
      while (running) {
        await admin.call('GET', `/${realm}/users?max=200`);
        reads += 1;
      }
    });
    const pause = (seconds) => new Promise((resume) => setTimeout(resume, seconds * 1000));
    await pause(3);
    const before = { reads, cpu: cpuSeconds(primary.pid()), at: performance.now() };
    await pause(Number(args.seconds));
    const done = reads - before.reads;
    const cpu = cpuSeconds(primary.pid()) - before.cpu;
    const seconds = (performance.now() - before.at) / 1000;
    running = false;
    await Promise.all(callers);
    admin.close();
    await service.stop();
    return [count, (done / seconds).toFixed(0), ((cpu * 1000) / done).toFixed(2)];
  } finally {
    for (const cluster of [...standbys, primary]) await cluster.stop();
  }
}

const rows = [];
for (const count of [0, 1, 2]) rows.push(await readsWith(count));
console.log(table(['standbys', 'reads per second', 'ms of CPU of the primary per read'], rows));
