import { expect } from 'vitest';
import type { Database } from '../../src/database/db.js';

/** Expects that each user of the realm has a record and each record its user, and that all who were acknowledged are there. */
export async function expectNothingByHalves({ read }: Database, realm: string, acknowledged: string[]): Promise<void> {
  const { id: realmId } = await read.realm.findUniqueOrThrow({ where: { name: realm } });
  const users = await read.user.findMany({ where: { realmId }, select: { id: true, username: true } });
  const names = new Set(users.map(({ username }) => username));
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
  const events = await read.adminEvent.findMany({
    where: { realmId, operation: 'user.create' },
    select: { id: true, resourcePath: true },
  });
  const recorded = events.map(({ resourcePath }) => resourcePath);
  expect(recorded.toSorted()).toEqual(users.map(({ id }) => `users/${id}`).toSorted());
  const changes = await read.change.findMany({ where: { realmId }, select: { eventId: true } });
  const changed = new Set(changes.map(({ eventId }) => eventId));
  expect(events.filter(({ id }) => !changed.has(id))).toEqual([]);
}
