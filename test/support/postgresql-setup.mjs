// Gives the tests of the `postgresql` project a server: that of TEST_POSTGRES_URL, or one that is thrown away afterwards.
import { startPostgresql } from './postgresql.mjs';

let server;

export async function setup(project) {
  const given = process.env.TEST_POSTGRES_URL;
  server = given ? undefined : await startPostgresql();
  project.provide('postgresqlUrl', given ?? server.url);
}

export async function teardown() {
  await server?.stop();
}
