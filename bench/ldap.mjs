// Measures how a directory of many people comes into a realm: all at first, then nothing, then what changed.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Attribute, Change, Client } from 'ldapts';
import {
  crowd,
  crowdName,
  hasSlapd,
  mapperComponent,
  personDn,
  rootDn,
  rootPassword,
  startSlapd,
  storageComponent,
  suffix,
  top,
} from '../tools/slapd.mjs';
import { administrator, table } from './client.mjs';
import { environment, startDatabase, startService } from './service.mjs';

const { values: args } = parseArgs({
  options: {
    people: { type: 'string', default: '10000' },
    groups: { type: 'string', default: '200' },
    changes: { type: 'string', default: '100' },
    database: { type: 'string', default: 'all' },
    part: { type: 'string' },
  },
});

const realm = 'federated';
const people = Number(args.people);
const groups = Number(args.groups);
const changes = Number(args.changes);
/** Seconds that are allowed, with ten thousand people. */
const targets = { first: 20, unchanged: 5 };

if (!hasSlapd) {
  console.error('OpenLDAP is not installed. On Debian: apt-get install slapd ldap-utils');
  process.exit(1);
}

/** Resident memory of a process in MB; the largest of its values while `work` goes on. */
async function withPeak(pid, work) {
  let peak = 0;
  let going = true;
  const look = () => {
    peak = Math.max(peak, Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024);
  };
  const watching = (async () => {
    while (going) {
      look();
      await sleep(100);
    }
  })();
  const result = await work().finally(() => {
    going = false;
  });
  await watching;
  return { result, peak };
}

async function createStorage(admin, url) {
  await admin.call('POST', '/', { realm, enabled: true });
  const storage = await admin.call('POST', `/${realm}/components`, storageComponent('directory', url));
  const id = storage.headers.location.split('/').at(-1);
  const settings = { 'groups.dn': `ou=groups,${suffix}`, mode: 'READ_ONLY' };
  await admin.call('POST', `/${realm}/components`, mapperComponent('groups', id, 'group-ldap-mapper', settings));
  return id;
}

/** Changes the last names of so many people. */
async function changeSome(url, word) {
  const client = new Client({ url });
  await client.bind(rootDn, rootPassword);
  for (let at = 0; at < changes; at += 1) {
    const modification = new Attribute({ type: 'sn', values: [`${word} ${at}`] });
    await client.modify(personDn(crowdName(at * 7)), new Change({ operation: 'replace', modification }));
  }
  await client.unbind();
}

async function measure(dialect) {
  const directory = await startSlapd([top, ...crowd(people, groups)].join('\n'));
  const database = await startDatabase(dialect);
  const env = await environment(database.url);
  const service = await startService(env);
  const admin = administrator(`http://127.0.0.1:${env.PORT}`);
  const id = await createStorage(admin, directory.url);
  const rows = [];
  const sync = async (title, action, target) => {
    const statements = await statementsOf(env.PORT);
    const started = performance.now();
    const { result: answer, peak } = await withPeak(service.pid, () =>
      admin.call('POST', `/${realm}/user-storage/${id}/sync?action=${action}`),
    );
    const seconds = (performance.now() - started) / 1000;
    const { status } = answer.json();
    const met = target === undefined ? '–' : seconds < target ? 'yes' : '**no**';
    rows.push([
      title,
      dialect,
      status,
      seconds.toFixed(2),
      target ?? '–',
      met,
      (await statementsOf(env.PORT)) - statements,
      Math.round(peak),
    ]);
  };
  await sync('first', 'triggerFullSync', targets.first);
  await sync('unchanged', 'triggerFullSync', targets.unchanged);
  await changeSome(directory.url, 'Changed');
  await sync(`${changes} changed`, 'triggerChangedUsersSync');
  for (let times = 0; times < 5; times += 1)
    await admin.call('POST', `/${realm}/user-storage/${id}/sync?action=triggerFullSync`);
  await sync('unchanged, the seventh time', 'triggerFullSync', targets.unchanged);
  admin.close();
  await service.stop();
  await database.stop();
  await directory.stop();
  return rows;
}

/** Statements that the service has sent until now. */
async function statementsOf(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const found = /^\w*statements\w*(?:\{[^}]*\})? (\d+)/m.exec(text);
  return found ? Number(found[1]) : 0;
}

const dialects = args.database === 'all' ? ['sqlite', 'postgresql'] : [args.database];
const rows = [];
for (const dialect of dialects) rows.push(...(await measure(dialect)));
const text = table(['synchronisation', 'database', 'result', 's', 'at most', 'met', 'statements', 'peak MB'], rows);
console.log(text);
if (args.part) {
  writeFileSync(
    new URL(`parts/${args.part}.md`, import.meta.url),
    `## A directory of ${people.toLocaleString('en')}\n\nOpenLDAP with ${people.toLocaleString('en')} people, each in two of ${groups} groups; service, directory and database on one machine. Peak is the resident memory of the service.\n\n${text}\n`,
  );
}
process.exit(0);
