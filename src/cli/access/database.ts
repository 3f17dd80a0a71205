import { text as streamText } from 'node:stream/consumers';
import { storedChanges } from '../../services/core/changes.js';
import type { Context, Services } from '../../services/core/context.js';
import { perform, performWrite } from '../../services/core/perform.js';
import { listenForEvents } from '../../services/events/watch.js';
import type { Json } from '../../services/realms/desired/kinds.js';
import { apply, plan } from '../../services/realms/desired/operations.js';
import { encodeApplied, encodePlan } from '../../services/realms/desired/representation.js';
import { wholeRealm } from '../../services/realms/export/whole.js';
import { realmByName } from '../../services/realms/locate.js';
import { operatorContext } from '../with-services.js';
import { type ChangeRecord, type EventPlaces, mostRecords, type RealmAccess } from './access.js';

/** How long a change is waited for before the stop signal is looked at, in milliseconds. */
const patience = 1000;

/** The realms of the database of the settings. Who runs a command can write to it anyway. */
export function databaseAccess(services: Services): RealmAccess {
  // what a context has loaded is not read again
  const begin = () => operatorContext(services);
  const target = (ctx: Context, name: string) => async () => ({ realm: await realmByName(ctx, name) });
  return {
    async plan(name, input) {
      const ctx = begin();
      return encodePlan(await perform(ctx, plan, target(ctx, name), input));
    },
    async apply(name, input) {
      const ctx = begin();
      const { result } = await performWrite(ctx, apply, target(ctx, name), input);
      return encodeApplied(result);
    },
    async pull(name, parts) {
      const ctx = begin();
      const { id } = await realmByName(ctx, name);
      return JSON.parse(await streamText(wholeRealm(ctx.db, services.sealer, id, parts))) as Json;
    },
    records: (name, places) => recordsAt(begin(), name, places),
    changes: (name, signal) => changesOf(begin(), name, signal),
  };
}

async function recordsAt(ctx: Context, name: string, places: EventPlaces): Promise<ChangeRecord[]> {
  const { id: realmId } = await realmByName(ctx, name);
  const rows = await ctx.db.adminEvent.findMany({
    where: {
      realmId,
      OR: [
        { resourcePath: { in: [...places.paths] } },
        ...places.paths.map((path) => ({ resourcePath: { startsWith: `${path}/` } })),
        ...places.endings.map((ending) => ({ resourcePath: { endsWith: ending } })),
        { operationType: 'DELETE', resourceType: { in: [...places.deletedKinds] } },
        ...(places.isRealm ? [{ resourceType: 'REALM' }] : []),
      ],
    },
    select: {
      time: true,
      operation: true,
      operationType: true,
      resourceType: true,
      resourcePath: true,
      representation: true,
      before: true,
      authUserId: true,
      authClientId: true,
    },
    orderBy: [{ time: 'desc' }, { id: 'desc' }],
    take: mostRecords,
  });
  const ids = [...new Set(rows.flatMap(({ authUserId }) => authUserId ?? []))];
  const users = await ctx.db.user.findMany({ where: { id: { in: ids } }, select: { id: true, username: true } });
  const names = new Map(users.map(({ id, username }) => [id, username]));
  return rows.map(({ time, authUserId, authClientId, representation, before, ...row }) => ({
    ...row,
    time: new Date(Number(time)).toISOString(),
    by: names.get(authUserId ?? '') ?? authUserId ?? authClientId ?? '',
    changes: storedChanges({ ...row, representation, before }) ?? [],
  }));
}

/** Follows the positions of admin events: those of logins change nothing of a realm. */
async function* changesOf(ctx: Context, name: string, signal: AbortSignal): AsyncGenerator<void> {
  const { id: realmId } = await realmByName(ctx, name);
  const listener = listenForEvents(ctx.services, () => [realmId]);
  try {
    let seen: bigint | undefined;
    while (!signal.aborted) {
      await listener.news(patience, signal);
      const horizon = listener.horizon();
      const from = seen;
      seen = horizon;
      if (from === undefined) yield;
      if (from === undefined || from === horizon) continue;
      const where = { realmId, position: { gte: from, lt: horizon } };
      if (await ctx.db.adminEvent.findFirst({ where, select: { id: true } })) yield;
    }
  } finally {
    listener.stop();
  }
}
