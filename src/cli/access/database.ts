import { text as streamText } from 'node:stream/consumers';
import type { Context, Services } from '../../services/core/context.js';
import { perform, performList, performWrite } from '../../services/core/perform.js';
import type { RealmRecord } from '../../services/core/realm.js';
import { Refusal, toldFaults } from '../../services/core/refusal.js';
import { listenForEvents } from '../../services/events/watch.js';
import { withAuthorNames } from '../../services/realms/applied/author-names.js';
import { applyById } from '../../services/realms/applied/locate.js';
import { listApplies, revert, revertPlan } from '../../services/realms/applied/operations.js';
import { applySelect, encodeApply } from '../../services/realms/applied/representation.js';
import type { Json } from '../../services/realms/desired/kinds.js';
import { apply, plan } from '../../services/realms/desired/operations.js';
import { encodeApplied, encodePlan } from '../../services/realms/desired/representation.js';
import { wholeRealm } from '../../services/realms/export/whole.js';
import { realmByName } from '../../services/realms/locate.js';
import { create, masterTarget, remove } from '../../services/realms/operations.js';
import { operatorContext } from '../with-services.js';
import { type RealmAccess, RefusedFile } from './access.js';

/** Milliseconds to wait for a change before the stop signal is checked. */
const patience = 1000;

/** The realms of the database of the settings. Who runs a command can write to it anyway. */
export function databaseAccess(services: Services): RealmAccess {
  // data that a context has loaded is not read again, so each request gets a new one
  const begin = () => operatorContext(services);
  const target = (ctx: Context, name: string) => async () => ({ realm: await realmNamed(ctx, name) });
  const applyOf = (ctx: Context, name: string, id: string) => async () =>
    applyById(ctx, await realmNamed(ctx, name), id);
  return {
    async create(name) {
      const ctx = begin();
      if (await services.realms.byName(services.database.read, name)) return false;
      await performWrite(ctx, create, masterTarget, { realm: name, enabled: true });
      return true;
    },
    async remove(name) {
      const ctx = begin();
      await performWrite(ctx, remove, target(ctx, name), undefined);
    },
    async plan(name, input) {
      const ctx = begin();
      return encodePlan(await placed(() => perform(ctx, plan, target(ctx, name), input)));
    },
    async apply(name, input) {
      const ctx = begin();
      const { result } = await placed(() => performWrite(ctx, apply, target(ctx, name), input));
      return encodeApplied(result);
    },
    async pull(name, parts) {
      const ctx = begin();
      const { id } = await realmNamed(ctx, name);
      return JSON.parse(await streamText(wholeRealm(ctx.db, services.sealer, id, parts))) as Json;
    },
    async applies(name, most) {
      const ctx = begin();
      const { where } = await performList(ctx, listApplies, target(ctx, name), {});
      const { orderBy } = listApplies;
      const rows = await ctx.db.realmApply.findMany({ where, orderBy, select: applySelect, take: most });
      return (await withAuthorNames(ctx, rows)).map(encodeApply);
    },
    async revertPlan(name, id) {
      const ctx = begin();
      return encodePlan(await perform(ctx, revertPlan, applyOf(ctx, name, id)));
    },
    async revert(name, id, expected) {
      const ctx = begin();
      const { result } = await performWrite(ctx, revert, applyOf(ctx, name, id), expected);
      return encodeApplied(result);
    },
    changes: (name, signal) => changesOf(begin(), name, signal),
  };
}

/** A realm of the database. Throws a sentence with its name if it does not exist. */
async function realmNamed(ctx: Context, name: string): Promise<RealmRecord> {
  try {
    return await realmByName(ctx, name);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'notFound') throw error;
    throw new Error(
      `The realm "${name}" was not found in the database: create it first (--create), or name another one with --realm.`,
    );
  }
}

/** Runs an operation with a file. Throws a RefusedFile if it refuses the file. */
async function placed<R>(run: () => Promise<R>): Promise<R> {
  try {
    return await run();
  } catch (error) {
    const faults = error instanceof Refusal && toldFaults(error);
    throw faults ? new RefusedFile(error.message, faults) : error;
  }
}

/** Follows the positions of admin events. Login events change nothing in a realm. */
async function* changesOf(ctx: Context, name: string, signal: AbortSignal): AsyncGenerator<void> {
  const { id: realmId } = await realmNamed(ctx, name);
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
