// @both-databases
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Batch, type SentStatement } from '../../src/database/batch-postgresql.js';
import { connectionOf, isIdle } from '../../src/database/pg-internals.js';
import { dialect } from '../support/database.js';

const named = (name: string, text: string): SentStatement => ({ name, text, values: [], wantsRows: true });

// These fail when another version of the driver no longer has what is used beyond its types.
describe.skipIf(dialect !== 'postgresql')('the driver of PostgreSQL', () => {
  let client: pg.Client;

  beforeAll(async () => {
    client = new pg.Client({ connectionString: inject('postgresqlUrl') });
    await client.connect();
  });
  afterAll(() => client.end());

  const run = (...statements: SentStatement[]) => client.query(new Batch(statements, true)).done;

  it('remembers which statements a connection has parsed, and sends each of them once', async () => {
    const connection = connectionOf(client);
    const parsed: string[] = [];
    const parse = connection.parse.bind(connection);
    Object.assign(connection, {
      parse: (message: { name: string; text: string }) => {
        parsed.push(message.name);
        parse(message);
      },
    });
    await run(named('one', 'SELECT 1'), named('two', 'SELECT 2'));
    expect(connection.parsedStatements).toMatchObject({ one: 'SELECT 1', two: 'SELECT 2' });
    const answers = await run(named('two', 'SELECT 2'), named('one', 'SELECT 1'));
    expect(answers.map(({ rows }) => rows)).toEqual([[['2']], [['1']]]);
    expect(parsed).toEqual(['one', 'two']);
    expect(connection.submittedNamedStatements).toEqual({});
  });

  it('sends what was skipped after an error anew', async () => {
    await expect(run(named('wrong', 'SELECT 1/0'), named('three', 'SELECT 3'))).rejects.toThrow('division by zero');
    expect(connectionOf(client).parsedStatements).not.toHaveProperty('three');
    expect((await run(named('three', 'SELECT 3')))[0]?.rows).toEqual([['3']]);
  });

  it('tells whether a statement is under way', async () => {
    expect(isIdle(client)).toBe(true);
    const answer = run(named('four', 'SELECT 4'));
    expect(isIdle(client)).toBe(false);
    await answer;
    expect(isIdle(client)).toBe(true);
  });
});
