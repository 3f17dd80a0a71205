import type { Db } from '../../database/db.js';
import { attempt, performAccepted } from '../core/batch-of.js';
import type { IdSource } from '../core/own-id.js';
import { invalid, type Refusal } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import { attributeRows } from '../core/view.js';
import type { RoleContainer } from './locate.js';
import { TakenPlaces } from './places.js';
import type { FullRole, RoleRepresentation } from './representation.js';
import { roleRow } from './row.js';

/** A role that is to be created, and where. */
interface NewRole {
  container: RoleContainer;
  input: Input<typeof RoleRepresentation>;
}

/** Where new roles will be. */
export const placesOf = (wanted: readonly NewRole[]) =>
  wanted.map(({ container, input }) => ({ container: container.id, name: input.name }));

/** Creates roles; with refusals in place of those without a name, or with one that is taken. */
export async function createRoles(
  tx: Db,
  { newId }: IdSource,
  wanted: readonly NewRole[],
  taken = new TakenPlaces(),
): Promise<(FullRole | Refusal)[]> {
  const rows = wanted.map(({ container: { realm, id: container, client }, input: { attributes = {}, ...given } }) =>
    attempt(() => {
      const { name } = given;
      if (!name) {
        throw invalid('`name` is required for every role', 'name', { body: { error: 'HTTP 400 Bad Request' } });
      }
      const refused = taken.take({ container, name });
      if (refused) throw refused;
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
