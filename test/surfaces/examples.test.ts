import { readFileSync } from 'node:fs';
import { createClient } from 'graphql-ws';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readExamples, type StartingPoints, startingPoints, variablesOf } from '../../explorer/examples.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const examples = readExamples(readFileSync(new URL('../../explorer/examples.graphql', import.meta.url), 'utf8'));
const ofKind = (kind: string) => examples.filter(({ document }) => new RegExp(`^${kind} `, 'm').test(document));

describe('the examples of the explorer', () => {
  let server: TestServer;
  let admin: Caller;
  let points: StartingPoints;

  beforeAll(async () => {
    server = await startServer();
    admin = await administrator(server);
    const { data, errors } = await admin.graphql<StartingPoints>(startingPoints);
    expect(errors).toBeUndefined();
    points = data;
  });

  it('have names of their own, and cover several areas', () => {
    expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
    expect(new Set(examples.map(({ area }) => area)).size).toBeGreaterThan(5);
  });

  it.each([...ofKind('query'), ...ofKind('mutation')])('$name answers without an error', async ({ document }) => {
    const { data, errors } = await admin.graphql<Record<string, unknown>>(document, variablesOf(document, points));
    expect(errors).toBeUndefined();
    for (const value of Object.values(data)) {
      expect(value).not.toBeNull();
      expect((value as { userErrors?: unknown[] }).userErrors ?? []).toEqual([]);
    }
  });

  it('mutations of the shelf change nothing', () => {
    for (const { name, document } of ofKind('mutation'))
      expect({ name, document }).toEqual({ name, document: expect.stringMatching(/@dryRun/) });
  });

  it.each(ofKind('subscription'))('$name begins', async ({ document }) => {
    const client = createClient({
      url: `${server.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${admin.token}` },
      lazy: true,
    });
    const messages = client.iterate({ query: document, variables: variablesOf(document, points) });
    const { value } = await messages.next();
    expect(value).toMatchObject({ data: expect.anything() });
    expect(value).not.toHaveProperty('errors');
    await messages.return?.();
    await client.dispose();
  });
});
