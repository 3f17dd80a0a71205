import { readFileSync } from 'node:fs';
import { getOperationAST, type OperationTypeNode, parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { documents } from '../../tools/documents.mjs';
import { subscribe } from '../events/sse.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Block, blocksOf } from './blocks.js';
import { shop } from './shop.js';

// The GraphQL blocks of the documents are sent as they are to a server with the realms that they name, in their order.

const patience = { timeout: 20_000 };
const blocks = documents.flatMap((page) => blocksOf(page, 'graphql'));
let server: TestServer;
let admin: Caller;

const operationOf = ({ text }: Block): OperationTypeNode | undefined => getOperationAST(parse(text))?.operation;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const acme = readFileSync('examples/acme-realm.json', 'utf8');
  expect((await admin.send('POST', '/', acme, { 'content-type': 'application/json' })).status).toBe(201);
  expect((await admin.send('POST', '/', shop)).status).toBe(201);
  const [user] = shop.users;
  expect((await admin.send('PUT', `/shop/users/${user.id}`, { firstName: 'Ann' })).status).toBe(204);
});

/** The places without a value, and the empty lists. What is within a list is left out: not each of its objects has everything. */
function emptyPlaces(value: unknown, place = ''): string[] {
  if (value === null || (Array.isArray(value) && value.length === 0)) return [place];
  if (typeof value !== 'object' || Array.isArray(value)) return [];
  return Object.entries(value)
    .filter(([name]) => name !== 'userErrors')
    .flatMap(([name, inner]) => emptyPlaces(inner, `${place}.${name}`));
}

async function execute({ text, output }: Block): Promise<void> {
  const { data, errors } = await admin.graphql<Record<string, { userErrors?: unknown[] }>>(text);
  expect(errors).toBeUndefined();
  expect(Object.values(data).flatMap((payload) => payload.userErrors ?? [])).toEqual([]);
  if (output === undefined) expect(emptyPlaces(data)).toEqual([]);
  else expect(data).toEqual(JSON.parse(output));
}

/** By the field of a subscription: what is done while it is followed, and what a message tells of that. */
const provoked: Record<string, { act: () => Promise<{ status: number }>; told: string }> = {
  adminEvents: {
    act: () => admin.send('POST', '/shop/roles', { name: 'packer' }),
    told: '"operation":"role.create"',
  },
  realmApplyProgress: {
    act: () =>
      admin.send('POST', '/shop/apply', {
        desired: { roles: { realm: [{ name: 'driver' }] } },
        modes: { roles: 'KEEP' },
        progressId: 'deploy-42',
      }),
    told: '"status":"DONE"',
  },
};

async function follow({ text }: Block): Promise<void> {
  const [, field] = /subscription\s*\{\s*(\w+)/.exec(text) ?? [];
  const { act, told } = provoked[field ?? ''] ?? {};
  if (!act || !told) throw new Error(`Nothing provokes a message of ${field}`);
  const { messages, close } = await subscribe(server, admin.token, text);
  await expect.poll(() => messages, patience).not.toEqual([]);
  expect([200, 201]).toContain((await act()).status);
  await expect.poll(() => JSON.stringify(messages), patience).toContain(told);
  expect(messages.flatMap(({ errors }) => errors ?? [])).toEqual([]);
  close();
}

describe('the GraphQL blocks of the documents', () => {
  it.each(blocks)('$page:$line is answered', (block) =>
    operationOf(block) === 'subscription' ? follow(block) : execute(block),
  );

  it('are all executed', () => {
    expect(blocks.filter(({ reason }) => reason !== undefined)).toEqual([]);
  });
});
