// Gives the tests of the `postgresql` project a server, that of TEST_POSTGRES_URL or one that is thrown away afterwards, and
// on it a database to copy.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { startPostgresql } from './postgresql.mjs';
import { prepareTemplate } from './template.mjs';

let server;
let url;
let template;

export async function setup(project) {
  const given = process.env.TEST_POSTGRES_URL;
  server = given ? undefined : await startPostgresql();
  url = given ?? server.url;
  template = `realmgate_template_${randomUUID().replaceAll('-', '')}`;
  await onServer(`CREATE DATABASE "${template}" TEMPLATE template0 ENCODING 'UTF8'`);
  const address = new URL(url);
  address.pathname = template;
  await prepareTemplate(address.href);
  project.provide('postgresqlUrl', url);
  project.provide('template', template);
  const [{ version }] = await onServer("SELECT current_setting('server_version_num')::int AS version");
  project.provide('copying', version >= 150_000 ? 'STRATEGY FILE_COPY' : '');
}

export async function teardown() {
  if (server) await server.stop();
  else await onServer(`DROP DATABASE IF EXISTS "${template}"`);
}

async function onServer(statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
