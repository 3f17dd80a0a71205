// @both-databases
import { describe, expect, it } from 'vitest';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { contend } from './contention-scenarios.mjs';

const writers = 24;

describe('many writers of the same things through two instances', () => {
  it('lose nothing, mix nothing and hear of no failure', async () => {
    const databaseUrl = await preparedDatabaseUrl();
    const callers = [
      await administrator(await startServer({ databaseUrl })),
      await administrator(await startServer({ databaseUrl })),
    ];
    const results = await contend(callers as never, writers);
    expect(results.length).toBeGreaterThan(10);
    expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  });
});
