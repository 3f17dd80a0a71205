import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { graphqlSchema } from './graph/server.js';
import { openApiText } from './rest/openapi.js';

// node dist/print-schema.js [folder]: writes schema.graphql and openapi.json, by default into schema/
const folder = process.argv[2] ?? 'schema';
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'schema.graphql'), `${printSchema(lexicographicSortSchema(graphqlSchema()))}\n`);
writeFileSync(join(folder, 'openapi.json'), openApiText());
