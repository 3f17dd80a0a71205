// Compares data models with Prisma's schema engine in its WebAssembly form, which needs no download and no database.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';

/** The SQL that leads from the data model `from` (null: an empty database) to the data model `to`. */
export async function diff(provider, from, to) {
  await loadEngine();
  const factory = bindMigrationAwareSqlAdapterFactory(absentDatabase(provider));
  const session = await engine.SchemaEngine.new({ datamodels: [['schema.prisma', to]] }, () => {}, factory);
  const { stdout } = await session.diff({
    from: from === null ? { tag: 'empty' } : dataModel(from),
    to: dataModel(to),
    script: true,
    shadowDatabaseUrl: null,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout;
}

const dataModel = (content) => ({ tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] });

let loading;

/** Node 20 cannot import .wasm files, so what the package's own entry would do is done by hand. */
function loadEngine() {
  loading ??= (async () => {
    const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
    const wasm = readFileSync(entry.replace('schema_engine.js', 'schema_engine_bg.wasm'));
    const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': engine });
    engine.__wbg_set_wasm(instance.exports);
    instance.exports.__wbindgen_start();
  })();
  return loading;
}

/** A database that is not there: enough of one to compare two data models, for which none is read. */
function absentDatabase(provider) {
  const nothing = { columnNames: [], columnTypes: [], rows: [] };
  const common = { provider: provider === 'postgresql' ? 'postgres' : provider, adapterName: 'absent' };
  const connection = {
    ...common,
    queryRaw: async () => nothing,
    executeRaw: async () => 0,
    executeScript: async () => {},
    dispose: async () => {},
    startTransaction: async () => {
      throw new Error('there is no database to start a transaction on');
    },
    getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
  };
  return { ...common, connect: async () => connection, connectToShadowDb: async () => connection };
}
