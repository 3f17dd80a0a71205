import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaText } from '../graph/core/directive.js';
import { graphqlSchema } from '../graph/server.js';
import { openApiText } from '../rest/openapi.js';
import { routes } from '../rest/routes.js';
import { realmSchemaText } from './desired/schema.js';
import { errorTableText } from './error-table.js';
import { limitsTableText } from './limits-table.js';
import { newerContractText } from './newer-contract-table.js';
import { operationMapText } from './operation-map.js';
import { settingsTableText } from './settings-table.js';
import { settingsWithoutEffectText } from './settings-without-effect-table.js';

// node dist/cli/print-schema.js [folder]: writes schema/schema.graphql, schema/openapi.json, schema/realm.schema.json,
// docs/operations.md, docs/rest-26.md, docs/graphql-errors.md, docs/settings.md, docs/settings-without-effect.md and docs/limits.md
const project = process.argv[2] ?? '.';
const folder = join(project, 'schema');
const docs = join(project, 'docs');
for (const path of [folder, docs]) mkdirSync(path, { recursive: true });
writeFileSync(join(folder, 'schema.graphql'), schemaText(graphqlSchema()));
writeFileSync(join(folder, 'openapi.json'), await openApiText());
writeFileSync(join(folder, 'realm.schema.json'), realmSchemaText());
writeFileSync(join(docs, 'operations.md'), operationMapText(routes));
const newer = readFileSync(join('schema', 'keycloak-26-operations.txt'), 'utf8');
writeFileSync(join(docs, 'rest-26.md'), newerContractText(newer, routes));
writeFileSync(join(docs, 'graphql-errors.md'), errorTableText());
writeFileSync(join(docs, 'settings.md'), settingsTableText());
writeFileSync(join(docs, 'settings-without-effect.md'), settingsWithoutEffectText());
writeFileSync(join(docs, 'limits.md'), limitsTableText());
