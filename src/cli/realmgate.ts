#!/usr/bin/env node
import { inspect } from 'node:util';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ConfigError } from '../config/config.js';
import { version } from '../config/project.js';
import { DatabaseUnusable } from '../database/unusable.js';
import { Refusal } from '../services/core/refusal.js';
import { DesiredRealmError } from './desired/faults.js';
import { oneLine, printError } from './print.js';
import { addRealmCommands } from './realm-commands.js';

const program = new Command('realmgate')
  .description('Identity and access administration service. Settings are environment variables, see docs/settings.md.')
  .version(version);

// each command loads only the modules that it needs
program
  .command('start', { isDefault: true })
  .description('start the service (default)')
  .action(async () => {
    await import('../main.js');
  });

program
  .command('check')
  .description('check settings, database, keys, clock, mail servers, and directories')
  .option('--json', 'print one JSON object')
  .option('--realm <name>', 'only the mail server and the directories of this realm, whose failures are problems then')
  .action(async (options) => (await import('./commands/check.js')).check(options));

program
  .command('migrate')
  .description('apply the pending migrations of the database; the service does so when it starts')
  .option('--status', 'only print the pending migrations')
  .action(async (options) => (await import('./commands/migrate.js')).migrateDatabase(options));

program
  .command('accept-database')
  .description(
    'accept that the database is on another PostgreSQL cluster: it was restored there, or the cluster was upgraded',
  )
  .argument('<system-identifier>', 'system identifier of the cluster, which the refusal states')
  .action(async (identifier) => (await import('./commands/accept-database.js')).acceptDatabaseCluster(identifier));

program
  .command('create-admin')
  .description('create an administrator of all realms, or give an existing one a new password')
  .requiredOption('--username <name>', 'user name in the realm master')
  .option('--password-file <file>', 'file with the password; default: standard input')
  .action(async (options) => (await import('./commands/create-admin.js')).createAdmin(options));

program
  .command('export')
  .description('write a realm to a file, or all realms to a folder; the service may be running')
  .option('--realm <name>', 'name of the realm')
  .addOption(new Option('--all', 'all realms; if it is interrupted, run it again').conflicts('realm'))
  .option('--out <path>', 'file to write, with --all the folder; default: standard output')
  .option('--without-users', 'leave the users out')
  .option('--without-secrets', 'write masks instead of secrets, and users without credentials')
  .option('--fresh', 'with --all: also write realms that have not changed since they were written to the folder')
  .action(async ({ realm, all, out, withoutUsers, withoutSecrets, fresh = false }) => {
    const parts = { users: !withoutUsers, secrets: !withoutSecrets };
    if (all && out === undefined) throw new Error('--all requires a folder: --out FOLDER');
    if (all) return (await import('./commands/export-all.js')).exportAllRealms(out, { ...parts, fresh });
    if (realm === undefined) throw new Error('Name a realm with --realm NAME, or use --all --out FOLDER');
    if (fresh) throw new Error('--fresh requires --all');
    return (await import('./commands/export.js')).exportRealm(realm, { out, ...parts });
  });

program
  .command('import')
  .description('create a realm from a file, or all realms of a folder; the service may be running')
  .argument('<path>', 'realm file, or folder of realm files; if a folder is interrupted, run it again')
  .addOption(
    new Option('--existing <how>', 'whether a realm that exists is an error; default: fail, of a folder skip').choices([
      'skip',
      'fail',
    ]),
  )
  .action(async (path, { existing }) => (await import('./commands/import.js')).importRealms(path, existing));

addRealmCommands(program);

program
  .command('rotate-secrets-key')
  .description(
    'encrypt all secrets with SECRETS_KEY; before, they are encrypted with SECRETS_KEY_PREVIOUS, or not encrypted',
  )
  .addHelpText(
    'after',
    '\nIf it is interrupted, run it again. Running services need both settings until it has ended. Before the first\nencryption of a database, stop the service.',
  )
  .action(async () => (await import('./commands/rotate-secrets-key.js')).rotateSecretsKey());

program
  .command('backup')
  .description('copy the SQLite database to a new file; the service may be running')
  .requiredOption('--out <path>', 'file to write, with --every the folder')
  .option('--every <seconds>', 'copy again after so many seconds if anything has changed, until interrupted', positive)
  .option('--keep <number>', 'with --every: number of copies to keep; default: 24', positive)
  .action(async ({ out, every, keep = every && 24 }) => {
    if (every) return (await import('./commands/backup-folder.js')).backUpContinuously(out, every, keep);
    if (keep) throw new Error('--keep requires --every SECONDS');
    return (await import('./commands/backup.js')).backUp(out);
  });

program
  .command('verify-audit')
  .description('compare the admin events with the audit chain (AUDIT_CHAIN); the exit status is 1 if something differs')
  .option('--file <file>', 'also compare the chain with a copy of AUDIT_FILE')
  .option('--json', 'print one JSON object')
  .action(async (options) => (await import('./commands/verify-audit.js')).verifyAudit(options));

program
  .command('vacuum')
  .description('return the space of deleted rows, and renew the statistics of the database')
  .action(async () => (await import('./commands/vacuum.js')).vacuumDatabase());

function positive(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 999999.');
  return Number(text);
}

/** Prints a mistake of the operator as one sentence, and other errors with their stack. */
function fail(error: unknown): void {
  const known = [ConfigError, DatabaseUnusable, DesiredRealmError, Refusal].some((kind) => error instanceof kind);
  const plain = error instanceof Error && (known || error.constructor === Error);
  const isList = [ConfigError, DesiredRealmError].some((kind) => error instanceof kind);
  if (plain) printError(isList ? error.message : oneLine(error.message));
  else printError(inspect(error));
  process.exitCode = 1;
}

// a reader such as `head` may end before the output does
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// the default command would treat it as an argument
const [, , first = ''] = process.argv;
const isCommand = first === 'help' || program.commands.some((one) => [one.name(), ...one.aliases()].includes(first));
if (first !== '' && !first.startsWith('-') && !isCommand) {
  program.error(`error: unknown command '${oneLine(first)}'. \`realmgate --help\` lists the commands.`);
}

await program.parseAsync().catch(fail);
