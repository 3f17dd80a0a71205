import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const squawk = fileURLToPath(new URL('../node_modules/.bin/squawk', import.meta.url));

/** Rules of squawk for what earlier versions notice, which is allowed in migrations that are named `contract_…`. */
const breaking = new Set([
  'adding-required-field',
  'adding-not-nullable-field',
  'ban-drop-column',
  'ban-drop-table',
  'changing-column-type',
  'renaming-column',
  'renaming-table',
]);

/** Rules of squawk that say nothing here. */
const excluded = [
  // src/database/migrate-postgresql.ts sets both
  'require-lock-timeout',
  'require-statement-timeout',
  // see inPlace
  'ban-concurrent-index-creation-in-transaction',
  'prefer-robust-stmts',
  // the types are those of the data model
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'prefer-identity',
  'prefer-text-field',
  'prefer-timestamp-tz',
];

const isContract = (name) => /^\d+_contract_/.test(name);
const isStepwise = (sql) => /^-- without a transaction$/m.test(sql);
const statementsOf = (sql) => sql.split(/;[ \t]*(?:\n|$)/).map((text) => text.trim());
const withoutComments = (text) => text.replaceAll(/^\s*--.*$/gm, '').trim();

/**
 * What is wrong with a migration of PostgreSQL that is applied while instances of the version before it serve: a sentence each.
 * `docs/upgrade.md` states the rules.
 */
export function wrongIn(name, sql) {
  return [
    ...rulesOfSquawk(name, sql),
    ...(isContract(name) ? [] : breakingRows(sql)),
    ...inPlace(sql),
    ...unbatched(sql),
  ];
}

function rulesOfSquawk(name, sql) {
  const transaction = isStepwise(sql) ? [] : ['--assume-in-transaction'];
  const rules = excluded.map((rule) => `--exclude=${rule}`);
  const args = [...transaction, ...rules, '--reporter=json', '--stdin-filepath=migration.sql'];
  return JSON.parse(run(squawk, args, sql))
    .filter(({ rule_name: rule }) => !(isContract(name) && breaking.has(rule)))
    .map(({ rule_name: rule, line, message, help }) => {
      const advice = breaking.has(rule) ? 'Only a migration named contract_… may do so.' : (help ?? '');
      return `line ${line + 1}: ${rule}: ${message} ${advice}`.trim();
    });
}

/** Unique indexes of tables that are older refuse what earlier versions write. */
function breakingRows(sql) {
  const made = new Set([...sql.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?("\w+")/gm)].map(([, table]) => table));
  return [...sql.matchAll(/^CREATE UNIQUE INDEX .*? ON ("\w+")/gm)]
    .filter(([, table]) => !made.has(table))
    .map(
      ([, table]) =>
        `A unique index of ${table} refuses what earlier versions write. Only a migration named contract_… may add it.`,
    );
}

/** Statements that do not fit how the migration is executed. */
const inPlace = (sql) =>
  statementsOf(sql)
    .map(withoutBatches)
    .filter((text) => text !== '' && (isStepwise(sql) ? !canBeRepeated(text) : /\bCONCURRENTLY\b/.test(text)))
    .map((text) =>
      isStepwise(sql)
        ? `"${firstLine(text)}" cannot be repeated after an interruption. Use IF EXISTS or IF NOT EXISTS, or another migration.`
        : `"${firstLine(text)}" cannot be executed in a transaction. Put it into a migration "-- without a transaction".`,
    );

const canBeRepeated = (text) => /\bIF (?:NOT )?EXISTS\b|\bVALIDATE CONSTRAINT\b/.test(text);
const withoutBatches = (text) => (/^-- in batches$/m.test(text) ? '' : withoutComments(text));
const firstLine = (text) => text.split('\n')[0];

/** Statements that change rows of unlimited number; those of a trigger's function change a few. */
const unbatched = (sql) =>
  statementsOf(sql.replaceAll(/\$\$.*?\$\$/gs, ''))
    .filter((text) => /^(?:UPDATE|DELETE)\b/i.test(withoutComments(text)))
    .filter((text) => !(isStepwise(sql) && /^-- in batches$/m.test(text) && /\bLIMIT \d+\b/i.test(text)))
    .map(
      (text) =>
        `"${firstLine(withoutComments(text))}" locks all rows that it changes. Put it into a migration "-- without a transaction", below "-- in batches", with a LIMIT.`,
    );

/** What a program prints, whatever its exit status. */
function run(file, args, input) {
  try {
    return execFileSync(file, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] });
  } catch (error) {
    if (error.stdout) return error.stdout;
    throw error;
  }
}
