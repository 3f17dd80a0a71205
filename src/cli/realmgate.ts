#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { ConfigError } from '../config/config.js';
import { DatabaseUnusable } from '../database/unusable.js';
import { Refusal } from '../services/core/refusal.js';
import { DesiredRealmError } from './desired/faults.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('realmgate')
  .description('Identity and access administration service. Settings are environment variables, see docs/settings.md.')
  .version(version);

// each command loads only what it needs
program
  .command('start', { isDefault: true })
  .description('start the service (default)')
  .action(async () => {
    await import('../main.js');
  });

program
  .command('check')
  .description('check settings, database, keys, clock, mail servers, and directories')
  .action(async () => (await import('./commands/check.js')).check());

program
  .command('migrate')
  .description('apply the pending migrations of the database; the service does so when it starts')
  .option('--status', 'only print the pending migrations')
  .action(async (options) => (await import('./commands/migrate.js')).migrateDatabase(options));

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

program
  .command('plan')
  .description('print what the files of a realm would change in it; exit status 2 if it is anything')
  .argument(
    '<files...>',
    'files or folders with a realm, or a part of one: kinds of objects that they do not have stay as they are',
  )
  .option('--realm <name>', 'name of the realm; default: that in the files')
  .option('--overlay <files...>', 'files or folders that are merged over the others')
  .option('--variables <file>', 'file with variables that realm files refer to; those of the environment win')
  .option('--files-from <folders...>', 'folders besides that of the realm whose files realm files can refer to')
  .option('--json', 'print the plan as JSON')
  .action(async (files, options) => (await import('./commands/plan.js')).planRealm(files, options));

program
  .command('apply')
  .description('change a realm so that it is as its files describe it: all of it or nothing')
  .argument(
    '<files...>',
    'files or folders with a realm, or a part of one: kinds of objects that they do not have stay as they are',
  )
  .option('--realm <name>', 'name of the realm; default: that in the files')
  .option('--overlay <files...>', 'files or folders that are merged over the others')
  .option('--variables <file>', 'file with variables that realm files refer to; those of the environment win')
  .option('--files-from <folders...>', 'folders besides that of the realm whose files realm files can refer to')
  .option('--digest <digest>', 'digest of the plan that is to be applied; refused if it would change anything else')
  .option('--allow-deletes <number>', 'number of objects that may be deleted', (text) => Number(text), 0)
  .option('--json', 'print what was changed as JSON')
  .action(async (files, options) => (await import('./commands/plan.js')).applyRealm(files, options));

program
  .command('validate')
  .description('check the files of a realm without a server; the exit status is 1 if they cannot be applied')
  .argument('<files...>', 'files or folders with a realm in JSON or YAML')
  .option('--overlay <files...>', 'files or folders that are merged over the others')
  .option('--variables <file>', 'file with variables that realm files refer to; those of the environment win')
  .option('--files-from <folders...>', 'folders besides that of the realm whose files realm files can refer to')
  .option('--json', 'print the faults as JSON')
  .action(async (files, options) => (await import('./commands/validate.js')).validateFiles(files, options));

program
  .command('fmt')
  .description('write the files of a realm in their canonical form')
  .argument('<files...>', 'files or folders with a realm in JSON or YAML')
  .option('--check', 'only print the files that would change, with the exit status 1')
  .action(async (files, options) => (await import('./commands/fmt.js')).formatFiles(files, options));

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
  .requiredOption('--out <file>', 'file to write')
  .action(async ({ out }) => (await import('./commands/backup.js')).backUp(out));

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

/** A mistake of the operator is told in one sentence; anything else with its stack. */
function fail(error: unknown): void {
  const known = [ConfigError, DatabaseUnusable, DesiredRealmError, Refusal].some((kind) => error instanceof kind);
  const plain = error instanceof Error && (known || error.constructor === Error);
  console.error(plain ? (error as Error).message : error);
  process.exitCode = 1;
}

await program.parseAsync().catch(fail);
