import type { Db } from '../../database/db.js';
import { attempt, performAccepted } from '../core/batch-of.js';
import type { IdSource } from '../core/own-id.js';
import { conflict, invalid, type Refusal } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import { attributeRows } from '../core/view.js';
import { takenName } from './changing.js';
import type { RoleContainer } from './locate.js';
import type { FullRole, RoleRepresentation } from './representation.js';
import { roleRow } from './row.js';

/** A role that is to be created, and where. */
interface NewRole {
  container: RoleContainer;
  input: Input<typeof RoleRepresentation>;
}

const placeOf = (container: string, name: string | undefined): string => JSON.stringify([container, name]);

/** The names that roles have already among those that are wanted: what the items of a batch must not have. */
export async function takenPlaces(tx: Db, wanted: readonly NewRole[]): Promise<ReadonlySet<string>> {
  const containers = [...new Set(wanted.map(({ container }) => container.id))];
  const names = [...new Set(wanted.flatMap(({ input }) => input.name ?? []))];
  const where = { container: { in: containers }, name: { in: names } };
  const found = await tx.role.findMany({ where, select: { container: true, name: true } });
  return new Set(found.map(({ container, name }) => placeOf(container, name)));
}

/** Creates roles; with refusals in place of those without a name, or with one that is taken. */
export async function createRoles(
  tx: Db,
  { newId }: IdSource,
  wanted: readonly NewRole[],
  present: ReadonlySet<string> = new Set(),
): Promise<(FullRole | Refusal)[]> {
  const taken = new Set(present);
  const rows = wanted.map(({ container: { realm, id: container, client }, input: { attributes = {}, ...given } }) =>
    attempt(() => {
      const { name } = given;
      if (!name) {
        throw invalid('`name` is required for every role', 'name', { body: { error: 'HTTP 400 Bad Request' } });
      }
      const place = placeOf(container, name);
      if (taken.has(place)) throw conflict(takenName(name), 'name', 'NAME_TAKEN');
      taken.add(place);
      const row = roleRow({ ...given, id: newId(), realmId: realm.id, clientId: client?.id ?? null, name });
      return { row, attributes: attributeRows('roleId', row.id, attributes) };
    }),
  );
  return performAccepted(rows, async (accepted) => {
    await tx.role.createMany({ data: accepted.map(({ row }) => row) });
    const data = accepted.flatMap(({ attributes }) => attributes);
    if (data.length > 0) await tx.roleAttribute.createMany({ data });
    return accepted.map(({ row, attributes }) => ({ ...row, version: 0, _count: { composites: 0 }, attributes }));
  });
}
