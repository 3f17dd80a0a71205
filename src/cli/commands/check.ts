import { type Config, readConfig } from '../../config/config.js';
import { directUrl, hostsOf } from '../../config/database-hosts.js';
import { warningsOf } from '../../config/warnings.js';
import { migrationState } from '../../database/migrate.js';
import { folderOf, sqliteOf } from '../../database/surroundings.js';
import { clockDifference } from '../../services/clock.js';
import type { Services } from '../../services/core/context.js';
import { type RealmRecord, realmSelect } from '../../services/core/realm.js';
import { trustAuthorities } from '../../services/ldap/connection.js';
import { tryDirectory } from '../../services/ldap/connection-test.js';
import { hasServer } from '../../services/mail/server.js';
import { smtpOf, tryServerOf } from '../../services/mail/settings.js';
import { storagesOf } from '../../services/user-storage/storage.js';
import { print } from '../print.js';
import { pendingRemedy, pendingText, withServices } from '../with-services.js';

/** A finding of a check. `remedy` states its solution. */
interface Finding {
  level: 'ok' | 'warning' | 'problem';
  about: string;
  /** name of the realm that it concerns; without one, it concerns the whole service */
  realm?: string;
  text: string;
  remedy?: string;
}

interface CheckOptions {
  /** prints one JSON object in place of lines */
  json?: boolean;
  /** only the mail server and the directories of this realm */
  realm?: string;
}

const ok = (about: string, text: string): Finding => ({ level: 'ok', about, text });
const warning = (about: string, text: string, remedy: string): Finding => ({ level: 'warning', about, text, remedy });
const problem = (about: string, text: string, remedy: string): Finding => ({ level: 'problem', about, text, remedy });

/** Free space in bytes, below which a warning or a problem is printed. */
const littleSpace = 1e9;
const noSpace = 1e8;
/** Difference between the clocks from which on tokens may be refused, in milliseconds. */
const largeDifference = 2000;
const realmsAtOnce = 10;

/**
 * Prints a line for each thing that the service depends on, with the remedy. The exit status is 1 if there is a problem
 * of the whole service. A fault of one realm is a warning, or a problem if the option names that realm.
 */
export async function check({ json = false, realm }: CheckOptions = {}): Promise<void> {
  const found: Finding[] = [];
  for await (const finding of findings(realm)) {
    found.push(finding);
    const { level, about, text, remedy } = finding;
    if (!json) print(`${level.padEnd(8)} ${about.padEnd(10)} ${text}${remedy === undefined ? '' : ` ${remedy}`}`);
  }
  const hasProblem = found.some(({ level }) => level === 'problem');
  if (json) print(JSON.stringify({ status: hasProblem ? 'problem' : 'ok', findings: found }, null, 2));
  if (hasProblem) process.exitCode = 1;
}

async function* findings(realm: string | undefined): AsyncGenerator<Finding> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    yield problem('settings', messageOf(error), 'See docs/settings.md.');
    return;
  }
  const warnings = warningsOf(config);
  if (warnings.length === 0) yield ok('settings', 'All settings are valid.');
  for (const text of warnings) yield warning('settings', `${text}.`, 'See docs/production.md.');
  const database = await databaseFinding(config);
  yield database;
  yield* await driverFinding(config);
  yield* await hostFindings(config);
  yield* await spaceFinding(config);
  yield* await standbyFindings(config);
  if (database.level !== 'ok') return;
  trustAuthorities(config.ldapAuthorities);
  try {
    yield* await withServices(async (services) => [
      ok('keys', 'The service can read the secrets in the database.'),
      await clockFinding(services),
      ...(await administratorFinding(services)),
      ...(await serverFindings(services, realm)),
    ]);
  } catch (error) {
    yield problem('keys', messageOf(error), 'See "Encryption of secrets" in docs/production.md.');
  }
}

async function databaseFinding(config: Config): Promise<Finding> {
  try {
    const { pending, later } = await migrationState(directUrl(config));
    if (pending.length === 0 && later.length > 0) {
      const text = 'The database has migrations of a later version. This version works with them.';
      return warning('database', text, 'Finish the upgrade: start the later version everywhere.');
    }
    if (pending.length === 0) return ok('database', 'The database is reachable and up to date.');
    return warning('database', pendingText(config, pending), pendingRemedy);
  } catch (error) {
    return problem(
      'database',
      messageOf(error),
      'Check DATABASE_URL, and whether the database accepts connections from here.',
    );
  }
}

/** A finding about the SQLite driver. If it cannot be used, the finding about the database states the reason. */
async function driverFinding({ databaseUrl }: Config): Promise<Finding[]> {
  const sqlite = await sqliteOf(databaseUrl).catch(() => undefined);
  if (!sqlite) return [];
  const source = sqlite.name === 'node:sqlite' ? `Node.js ${process.versions.node}` : `the package ${sqlite.name}`;
  return [ok('sqlite', `SQLite ${sqlite.version} of ${source} is used.`)];
}

/**
 * Findings about the hosts of DATABASE_URL if there are several: a former primary that accepts writes again is a
 * problem.
 */
async function hostFindings(config: Config): Promise<Finding[]> {
  const url = directUrl(config);
  if (hostsOf(url).length === 1) return [];
  const { hostStates } = await import('../../database/host-states-postgresql.js');
  return (await hostStates(url)).map(({ host, role, timeline, refusal }) => {
    if (refusal !== undefined)
      return problem('host', refusal, 'See "PostgreSQL with a standby" in docs/production.md.');
    if (role === 'unreachable') return warning('host', `${host} does not answer.`, 'Start it again as a standby.');
    const text = timeline === undefined ? '' : ` Its timeline is ${timeline}.`;
    return ok('host', role === 'primary' ? `${host} takes writes.${text}` : `${host} does not take writes.`);
  });
}

async function standbyFindings({ databaseUrl, databaseReadUrl }: Config): Promise<Finding[]> {
  if (databaseReadUrl === undefined) return [];
  const remedy = 'Check DATABASE_READ_URL. Reads go to the primary meanwhile.';
  try {
    // loads the driver of PostgreSQL
    const { standbyStates } = await import('../../database/standby-states-postgresql.js');
    return (await standbyStates(databaseUrl, databaseReadUrl)).map(({ host, follows, behind }) => {
      if (follows) return ok('standby', `${host} follows the primary, ${behind} bytes behind.`);
      const fault = follows === undefined ? 'does not answer' : 'is not a standby of the primary, or not yet again';
      return warning('standby', `${host} ${fault}.`, remedy);
    });
  } catch (error) {
    return [warning('standby', messageOf(error), remedy)];
  }
}

async function spaceFinding({ databaseUrl }: Config): Promise<Finding[]> {
  const space = await folderOf(databaseUrl);
  if (!space) return [];
  const { folder, free } = space;
  if (free === undefined)
    return [warning('disk', `The folder ${folder} is missing.`, 'It is created at the first start.')];
  const text = `${(free / 1e9).toFixed(1)} GB are free in ${folder}.`;
  if (free >= littleSpace) return [ok('disk', text)];
  const remedy = 'Writes fail with 503 when the disk is full.';
  return [free >= noSpace ? warning('disk', text, remedy) : problem('disk', text, remedy)];
}

/** Compares the clock with the database's, and with the newest stored change. */
async function clockFinding(services: Services): Promise<Finding> {
  const most = await clockDifference(services);
  if (most <= largeDifference) return ok('clock', 'The clock agrees with the database.');
  const text = `The clock differs from that of the database by ${(most / 1000).toFixed(1)} seconds.`;
  return problem('clock', text, 'Synchronize the clocks of all machines, for example with chrony.');
}

async function administratorFinding({ database }: Services): Promise<Finding[]> {
  const holder = await database.read.userRole.findFirst({
    where: { user: { enabled: true }, role: { administration: { some: { right: 'admin' } } } },
    select: { userId: true },
  });
  if (holder) return [ok('admin', 'The realm master has an administrator.')];
  return [
    warning('admin', 'No enabled user has the role "admin" of the realm master.', 'Run `realmgate create-admin`.'),
  ];
}

/** Findings about the mail server and the directories of each realm. */
async function serverFindings(services: Services, only: string | undefined): Promise<Finding[]> {
  const where = only === undefined ? {} : { name: only };
  const rows = await services.database.read.realm.findMany({ where, select: realmSelect, orderBy: { name: 'asc' } });
  if (only !== undefined && rows.length === 0)
    return [problem('realm', `There is no realm "${only}".`, 'Correct the name. Upper and lower case differ.')];
  const realms = rows as RealmRecord[];
  const found: Finding[] = [];
  for (let at = 0; at < realms.length; at += realmsAtOnce) {
    const some = realms.slice(at, at + realmsAtOnce);
    const each = some.map(async (realm) =>
      (await serversOf(services, realm)).map((one) => ofRealm(one, realm.name, only)),
    );
    found.push(...(await Promise.all(each)).flat());
  }
  return found;
}

/**
 * A finding about a realm. Other realms do not depend on it, so it is a problem only if the option names this realm.
 */
const ofRealm = (finding: Finding, realm: string, only: string | undefined): Finding => ({
  ...finding,
  realm,
  level: finding.level === 'problem' && only === undefined ? 'warning' : finding.level,
});

async function serversOf(services: Services, realm: RealmRecord): Promise<Finding[]> {
  const storages = realm.components.length > 0 ? await storagesOf(services, realm.id) : [];
  return Promise.all([
    ...(hasServer(smtpOf(realm))
      ? [
          attempt('mail', `mail server of realm "${realm.name}"`, 'Correct `smtpServer` of the realm.', () =>
            tryServerOf(services, realm),
          ),
        ]
      : []),
    ...storages
      .filter(({ enabled }) => enabled)
      .map(({ name, directory }) =>
        attempt('directory', `directory "${name}" of realm "${realm.name}"`, 'Correct the storage of the realm.', () =>
          tryDirectory(directory, 'testAuthentication'),
        ),
      ),
  ]);
}

async function attempt(about: string, what: string, remedy: string, work: () => Promise<void>): Promise<Finding> {
  try {
    await work();
    return ok(about, `The ${what} accepts the login.`);
  } catch (error) {
    return problem(about, `The ${what} cannot be used: ${messageOf(error)}.`, remedy);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
