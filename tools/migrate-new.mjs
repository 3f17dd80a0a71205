// npm run migrate:new -- <name>   writes prisma/migrations/<database>/<time>_<name>/migration.sql for both databases
// npm run check:migrations        only says whether the schema has changes without a migration (exit status 1)
//
// Needs no network and no database. A migration starts from prisma/migrations/<database>/schema.prisma, the data model
// that the one before it led to. Both commands first write the PostgreSQL
// variant of the schema. What would hold up other instances on PostgreSQL goes into a second migration, `…_after`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { diff } from './schema-engine.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const schemas = { sqlite: 'prisma/schema.prisma', postgresql: 'prisma/.variants/postgresql.prisma' };

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const [name] = positionals;
if (!values.check && !/^[a-z0-9_]+$/.test(name ?? '')) {
  console.error(
    'Name the migration in lower case letters, digits and underscores: npm run migrate:new -- add_phone_numbers',
  );
  process.exit(2);
}

const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
for (const [provider, schema] of Object.entries(schemas)) {
  const folder = join('prisma/migrations', provider);
  const snapshot = join(folder, 'schema.prisma');
  const target = dataModelOf(schema);
  const sql = await migrationSql(provider, existsSync(snapshot) ? readFileSync(snapshot, 'utf8') : null, target);
  if (sql === undefined) continue;
  if (values.check) {
    console.error(`prisma/schema.prisma has changes without a migration for ${provider}:\n${sql}`);
    process.exitCode = 1;
    continue;
  }
  const { atOnce, after } = provider === 'postgresql' ? apart(sql) : { atOnce: sql, after: '' };
  if (atOnce) write(join(folder, `${stamp}_${name}`), atOnce);
  if (after) write(join(folder, `${stamp}_${name}_after`), after);
  writeFileSync(snapshot, target);
}
if (values.check && process.exitCode === 1) {
  console.error(
    'Run `npm run migrate:new -- <name>`, review the files that it writes for both databases, and commit them.',
  );
}

function write(folder, sql) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'migration.sql'), sql);
  console.log(join(folder, 'migration.sql'));
}

/**
 * What can be done in one transaction, and what would lock a table of many rows there for as long as it takes: building indexes and
 * checking foreign keys of tables that exist.
 */
function apart(sql) {
  const made = new Set([...sql.matchAll(/^CREATE TABLE ("\w+")/gm)].map(([, table]) => table));
  const isOld = (table) => !made.has(table);
  const later = [];
  const atOnce = sql
    .replace(
      /(?:^-- CreateIndex\n)?^CREATE (UNIQUE )?INDEX ("\w+") ON ("\w+")(.*;)\n*/gm,
      (all, unique = '', index, table, rest) => {
        if (!isOld(table)) return all;
        later.push(`CREATE ${unique}INDEX CONCURRENTLY IF NOT EXISTS ${index} ON ${table}${rest}`);
        return '';
      },
    )
    .replace(/(?:^-- DropIndex\n)?^DROP INDEX ("\w+");\n*/gm, (_, index) => {
      later.push(`DROP INDEX CONCURRENTLY IF EXISTS ${index};`);
      return '';
    })
    .replace(/^ALTER TABLE ("\w+") ADD CONSTRAINT ("\w+") (FOREIGN KEY .*);$/gm, (all, table, constraint, rest) => {
      if (!isOld(table)) return all;
      later.push(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint};`);
      return `ALTER TABLE ${table} ADD CONSTRAINT ${constraint} ${rest} NOT VALID;`;
    })
    .trim();
  const after = later.length > 0 ? ['-- without a transaction', ...later].join('\n') : '';
  return { atOnce: atOnce && `${atOnce}\n`, after: after && `${after}\n` };
}

/** The schema without its generators, which say nothing about the database. */
function dataModelOf(schema) {
  return readFileSync(schema, 'utf8').replace(/generator \w+ \{[^}]*\}\n+/g, '');
}

/** The SQL from one data model to the other; undefined when there is nothing to do. */
async function migrationSql(provider, from, to) {
  const sql = await diff(provider, from, to);
  if (/^-- This is an empty migration\.\s*$/.test(sql)) return undefined;
  // for SQLite, the engine forgets the quotes around the default of a Json column
  if (provider === 'sqlite') return sql.replace(/(JSONB(?: NOT NULL)? DEFAULT) ([[{].*?[\]}])(,?)$/gm, "$1 '$2'$3");
  // bytewise order and comparison, as on SQLite and whatever the locale of the cluster
  return sql.replace(/^((?:ALTER TABLE .* )?(?:ADD COLUMN)?\s*"\w+" TEXT)\b/gm, '$1 COLLATE "C"');
}
