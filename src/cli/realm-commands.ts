import { type Command, InvalidArgumentError, Option } from 'commander';
import type { NamedObject } from '../services/realms/desired/objects.js';
import { objectNameForm, parseObjectName } from './desired/object-name.js';

// The commands for realms in files. Each loads only the modules that it needs.

const partial =
  'files or folders with a realm, or a part of one: kinds of objects that they do not have stay as they are';
const severalRealms = `${partial}. Each is a realm of its own if several name a realm; a folder of folders has one in each`;

/** Adds the arguments and options of commands that read files of a realm. */
const withFiles = (command: Command, files: string): Command =>
  command
    .argument('<files...>', files)
    .option('--overlay <files...>', 'files or folders that are merged over the others')
    .option('--variables <file>', 'file with variables that realm files refer to; those of the environment win')
    .option('--config-cli', 'also read references of keycloak-config-cli, such as $(env:NAME)')
    .option('--files-from <folders...>', 'folders besides that of the realm whose files realm files can refer to');

/** Adds the option of commands that can do without the secrets of files. */
const withoutSecrets = (command: Command): Command =>
  command.option(
    '--without-secrets',
    'do not read the values of references, except of variables in the file of --variables: they are not compared',
  );

/** Adds the options of commands that work on a server or on the database. */
const withServer = (command: Command): Command =>
  command
    .option('--url <url>', 'address of a server; default: the database of DATABASE_URL')
    .option(
      '--token <token>',
      'access token for the server; default: REALMGATE_TOKEN, or the login by `realmgate login`',
    )
    .option('--client-id <id>', 'client that logs in with the secret in REALMGATE_CLIENT_SECRET')
    .option('--login-realm <name>', 'realm of that client', 'master');

const withRealm = (command: Command, files = partial): Command =>
  withServer(withFiles(command, files)).option(
    '--realm <name>',
    'name of the realm, also if the files describe another one; default: that in the files',
  );

/** Adds the options that state the origin of files. */
const withOrigin = (command: Command): Command =>
  withRealm(command, severalRealms)
    .option(
      '--source <address>',
      'origin of the files, which the realm follows from then on; default: that of the pipeline or of the git repository',
    )
    .option('--revision <revision>', 'version of the files; default: the commit')
    .option('--no-source', 'state no origin');

/** Adds a value of `--target` to the earlier ones. */
function addedTarget(text: string, others: readonly NamedObject[] = []): NamedObject[] {
  const target = parseObjectName(text);
  if (!target) throw new InvalidArgumentError(`It must be ${objectNameForm}.`);
  return [...others, target];
}

/** Adds the options of commands that plan changes of a realm. */
const withPlan = (command: Command): Command =>
  withOrigin(command).option(
    '--target <object>',
    'object that may change, such as CLIENT/shop, with the objects that it needs; can be repeated. Default: all objects',
    addedTarget,
  );

/** Adds the options of commands that make the changes of a plan. */
const withAgreement = (command: Command): Command =>
  command
    .option('--yes', 'make the changes without a question')
    .option(
      '--digest <digest>',
      'digest of a plan that was reviewed; makes its changes without a question, and no others',
    )
    .option('--allow-deletes <number>', 'number of objects that may be deleted', numberOf('a number of objects'), 0)
    .option('--json', 'print what was changed as JSON');

/** Returns a function that reads the value of an option as a number of this sort. */
const numberOf =
  (what: string) =>
  (text: string): number => {
    if (!/^\d+$/.test(text)) throw new InvalidArgumentError(`It must be ${what}, such as 3.`);
    return Number(text);
  };

/** Adds the commands that compare files with realms, and those for the files themselves. */
export function addRealmCommands(program: Command): void {
  withoutSecrets(withPlan(program.command('plan')))
    .description('print what the files of a realm would change in it; exit status 2 if it is anything')
    .addOption(new Option('--json', 'print the plan as JSON').conflicts('markdown'))
    .option('--markdown', 'print the plan as Markdown, for a comment of a pull request')
    .action(async (files, options) => (await import('./commands/several-realms.js')).planFiles(files, options));

  withAgreement(withPlan(program.command('apply')))
    .description('change a realm so that it is as its files describe it: all of it or nothing')
    .addOption(new Option('--create', 'create the realm if it does not exist').conflicts('digest'))
    .action(async (files, options) => (await import('./commands/several-realms.js')).applyFiles(files, options));

  withServer(program.command('history'))
    .description('print the last applies of files to a realm, and their reverts')
    .requiredOption('--realm <name>', 'name of the realm')
    .option('--max <number>', 'number of applies to print', numberOf('a number of applies'), 20)
    .option('--json', 'print them as JSON')
    .action(async (options) => (await import('./commands/history.js')).historyOfRealm(options));

  withAgreement(withServer(program.command('revert')))
    .description('take back what an apply has changed in a realm, except what was changed since')
    .argument(
      '[number]',
      'number of the apply, as `realmgate history` prints it; default: the last one',
      numberOf('the number of an apply'),
    )
    .requiredOption('--realm <name>', 'name of the realm')
    .action(async (number, options) => (await import('./commands/revert.js')).revertApply(number, options));

  withoutSecrets(withRealm(program.command('diff')))
    .description('print the difference between a realm and its files as a unified diff')
    .action(async (files, options) => (await import('./commands/diff.js')).diffRealm(files, options));

  withoutSecrets(withRealm(program.command('drift')))
    .description(
      'print where a realm is no longer as its files say, and who changed it; exit status 2 if it is anything',
    )
    .option('--watch', 'follow the changes of the realm, with a line for each object that drifts')
    .option('--json', 'print the drift as JSON')
    .action(async (files, options) => (await import('./commands/drift.js')).driftOfRealm(files, options));

  withServer(program.command('pull'))
    .description('write the files of a realm, with masks instead of secrets')
    .requiredOption('--realm <name>', 'name of the realm')
    .option('--out <path>', 'file that ends in .yaml or .json, or a folder; default: YAML on the standard output')
    .option('--users', 'with all users; default: service accounts only')
    .option('--secrets', 'with secrets, and the credentials of users; requires the database')
    .option('--secret-references', 'with references to variables instead of masks')
    .option('--without-defaults', 'without generated IDs, and without what every new realm and new objects have')
    .action(async (options) => (await import('./commands/pull.js')).pullRealm(options));

  withoutSecrets(withFiles(program.command('validate'), 'files or folders with a realm in JSON or YAML'))
    .description('check the files of a realm without a server; the exit status is 1 if they cannot be applied')
    .option('--json', 'print the faults as JSON')
    .action(async (files, options) => (await import('./commands/validate.js')).validateFiles(files, options));

  program
    .command('assess')
    .description(
      'print the parts of an exported realm, also of Keycloak, that will not work; exit status 2 if there are any',
    )
    .argument('<file>', 'file of a realm in JSON, with or without users')
    .option('--json', 'print the findings as JSON')
    .action(async (file, options) => (await import('./commands/assess.js')).assessFile(file, options));

  program
    .command('fmt')
    .description('write the files of a realm in their canonical form')
    .argument('<files...>', 'files or folders with a realm in JSON or YAML')
    .option('--check', 'only print the files that would change, with the exit status 1')
    .action(async (files, options) => (await import('./commands/fmt.js')).formatFiles(files, options));

  program
    .command('login')
    .description('log in at a server by a browser, and keep the tokens for commands with --url')
    .requiredOption('--url <url>', 'address of the server')
    .option('--client-id <id>', 'client with the device grant', 'admin-cli')
    .option('--login-realm <name>', 'realm of the user and the client', 'master')
    .action(async (options) => (await import('./commands/login.js')).logIn(options));

  program
    .command('logout')
    .description('end the login at a server')
    .requiredOption('--url <url>', 'address of the server')
    .action(async (options) => (await import('./commands/login.js')).logOut(options));
}
