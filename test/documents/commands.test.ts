// @both-databases
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { documents } from '../../tools/documents.mjs';
import { freePort } from '../../tools/free-port.mjs';
import { dialect, freshDatabaseUrl, preparedDatabaseUrl } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';
import { startServer } from '../support/server.js';
import { type Block, blocksOf, printed } from './blocks.js';
import { cloneFolder, hasCommands } from './clone.js';
import { openShell, type Shell } from './shell.js';

// The commands of each document run in one shell beside one server, in their order, as a reader pastes them.

/** Documents whose commands need other servers, with the test that runs them. */
const elsewhere = new Map([['docs/directories.md', 'test/ldap/documentation.test.ts']]);
/** Documents that create the realm acme, or are about a service without it. The others use it. */
const beforeAcme = ['README.md', 'docs/first-realm.md', 'docs/troubleshoot.md', 'docs/coming-from-keycloak.md'];
/** Blocks that this test does not run, by their reasons in the documents: another test runs them, or no test can. */
const notRun = [
  'README.md: runs the tests, of which this is one',
  'CONTRIBUTING.md: runs tests',
  'test/contract/recordings/README.md: needs an empty server',
  'test/contract/recordings/README.md: needs the reference server',
  'docs/audit.md: needs a database with a chain, see test/audit/chain.test.ts',
  'docs/backup.md: runs until it is interrupted, see test/cli/backup.test.ts',
  'docs/backup.md: needs an empty database, see test/cli/backup.test.ts',
  'docs/backup.md: needs an archive, see test/cli/point-in-time.test.ts',
  'docs/coming-from-keycloak.md: needs Keycloak, see tools/keycloak-export.mjs',
  'docs/coming-from-keycloak.md: needs Keycloak, see tools/keycloak-export.mjs',
  'docs/install.md: installs the package, see test/package.test.ts',
  'docs/install.md: needs a PostgreSQL server, see test/support/postgresql.mjs',
  'docs/install.md: needs a container engine, see test/deploy/image.test.ts',
  'docs/install.md: needs Kubernetes, see test/deploy/manifests.test.ts',
  'docs/install.md: needs Kubernetes and Helm, see test/deploy/chart.unit.test.ts',
  'docs/install.md: needs systemd, see test/package.test.ts',
  'docs/production.md: needs a server with a certificate, see test/database/tls.test.ts',
  'docs/production.md: needs a stopped service, see test/instances/key-rotation.test.ts',
  'docs/production.md: needs a standby, see test/faults/failover.test.ts',
  'docs/production.md: needs another cluster, see test/database/restored-cluster.test.ts',
  'docs/production.md: needs standbys, see test/instances/standbys.test.ts',
  'docs/production.md: needs PgBouncer, see test/instances/pooler.test.ts',
  'docs/realm-as-code.md: needs the digest of a plan, see test/cli/plan.test.ts',
  'docs/realm-as-code.md: needs changes of several objects, see test/cli/target.test.ts',
  'docs/realm-as-code.md: needs several realms, see test/cli/several-realms.test.ts',
  'docs/realm-as-code.md: needs references and variables, see test/cli/without-secrets.test.ts',
  'docs/realm-as-code.md: needs two realms and variables, see test/cli/promotion.test.ts',
  'docs/realm-as-code.md: needs changes of a realm by hand, see test/cli/drift.test.ts',
  'docs/realm-as-code.md: needs a browser, see test/cli/login.test.ts',
  'docs/realm-as-code.md: needs the applies of other pages, see test/cli/revert.test.ts',
  'docs/realm-files.md: the realm exists, README.md has the same command',
  'docs/release.md: builds a release, see test/package.test.ts',
  'docs/release.md: builds a release, see test/deploy/image.test.ts',
];
const otherDialect = dialect === 'sqlite' ? 'on postgresql' : 'on sqlite';

const all = documents.map((page) => ({ page, blocks: blocksOf(page, 'sh', 'js') }));
const pages = all.filter(
  ({ page, blocks }) => !elsewhere.has(page) && blocks.some(({ reason }) => reason === undefined),
);
/** The commands differ by database only where a document says so. */
const isRunHere = ({ blocks }: (typeof all)[number]): boolean =>
  isThorough || dialect === 'sqlite' || blocks.some(({ how }) => how.includes('on postgresql'));

it('commands of every document are run', () => {
  for (const [page, test] of elsewhere) expect(readFileSync(test, 'utf8')).toContain(page);
  expect(pages.map(({ page }) => page)).toEqual(expect.arrayContaining(beforeAcme));
});

it('commands that are not run have a known reason, and the file that it names', () => {
  const found = all.flatMap(({ page, blocks }) =>
    blocks.flatMap(({ reason }) => (reason === undefined ? [] : [`${page}: ${reason}`])),
  );
  expect(found).toEqual(notRun);
  const named = found.flatMap((reason) => /, see (\S+)$/.exec(reason)?.[1] ?? []);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});

describe.skipIf(!hasCommands('bash', 'curl')).each(pages.filter(isRunHere))(
  'the commands of $page',
  ({ page, blocks }) => {
    let shell: Shell;
    let adapted: (text: string) => string;

    beforeAll(async () => {
      const databaseUrl = await preparedDatabaseUrl();
      const server = await startServer({ databaseUrl });
      await prepare(await administrator(server));
      const { token } = await administrator(server);
      // a database for what a document starts by itself
      const second = await freshDatabaseUrl();
      adapted = (text) =>
        text
          .replaceAll('http://localhost:8080', server.url)
          .replaceAll(/postgresql:\/\/realmgate@(db|localhost)\/realmgate/g, second)
          .replaceAll(/\b(METRICS_)?PORT=\d+ /g, '');
      const folder = cloneFolder();
      copyFileSync('examples/acme-realm.json', join(folder, 'acme.json'));
      // commands fail with the status of the answer
      writeFileSync(join(folder, '.curlrc'), 'fail-with-body\n');
      const { PATH = '', HOME = '' } = process.env;
      const npm = { NO_COLOR: '1', npm_config_update_notifier: 'false', npm_config_offline: 'true' };
      const settings = { DATABASE_URL: databaseUrl, ADMIN_PASSWORD: 'admin', LOG_LEVEL: 'warn' };
      const given = { TOKEN: token, NEW_PASSWORD: 'secret-2', CURL_HOME: folder };
      shell = openShell(folder, { PATH, HOME, ...npm, ...settings, ...given });
    });

    async function prepare(admin: Awaited<ReturnType<typeof administrator>>): Promise<void> {
      // longer than the commands take
      await admin.send('PUT', '/master', { accessTokenLifespan: 3600 });
      if (beforeAcme.includes(page)) return;
      const acme = readFileSync('examples/acme-realm.json', 'utf8');
      expect((await admin.send('POST', '/', acme, { 'content-type': 'application/json' })).status).toBe(201);
    }

    async function serve(commands: string): Promise<void> {
      const port = await freePort();
      const settings = { HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: await freshDatabaseUrl() };
      await shell.beside(commands, settings, async () => {
        const status = () =>
          fetch(`http://127.0.0.1:${port}/health/ready`)
            .then((answer) => answer.status)
            .catch(() => 0);
        await expect.poll(status, { timeout: 60_000, interval: 200 }).toBe(200);
      });
    }

    async function run({ text, how, output, language }: Block): Promise<void> {
      const commands = adapted(text);
      if (how.includes('starts the service')) return serve(commands);
      const quoted = `'${commands.replaceAll("'", `'\\''`)}'`;
      const ended = await shell.run(language === 'js' ? `node --input-type=module --eval ${quoted}` : commands);
      const fails = how.includes('fails');
      expect(ended.status !== 0, `${ended.output}\n${ended.errors}`).toBe(fails);
      if (output !== undefined)
        expect(`${ended.output}${fails ? ended.errors : ''}`.trim()).toMatch(printed(adapted(output)));
    }

    for (const block of blocks) {
      const { line, reason, how } = block;
      const needed = how.flatMap((one) => (one.startsWith('needs ') ? one.slice('needs '.length) : []));
      const name = `line ${line}${reason === undefined ? '' : ` (not run: ${reason})`}`;
      it.skipIf(reason !== undefined || how.includes(otherDialect) || !hasCommands(...needed))(name, () => run(block));
    }
  },
);
