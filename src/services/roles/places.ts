import type { Db } from '../../database/db.js';
import { conflict, type Refusal } from '../core/refusal.js';

/** Where a role is: in a realm or client, by its ID, under a name. */
interface Place {
  container: string;
  name: string | undefined;
}

const keyOf = ({ container, name }: Place): string => JSON.stringify([container, name]);

/** The places that roles have. A batch takes further ones. */
export class TakenPlaces {
  readonly #keys: Set<string>;

  constructor(present: readonly Place[] = []) {
    this.#keys = new Set(present.map(keyOf));
  }

  /** Takes a place. Returns a refusal if a role has it. */
  take(place: Place): Refusal | undefined {
    const key = keyOf(place);
    if (this.#keys.has(key)) return conflict(takenName(place.name), 'name', 'NAME_TAKEN');
    this.#keys.add(key);
    return undefined;
  }
}

/** Those of the places that roles have: one statement. */
export async function takenPlaces(tx: Db, wanted: readonly Place[]): Promise<TakenPlaces> {
  const where = {
    container: { in: [...new Set(wanted.map(({ container }) => container))] },
    name: { in: [...new Set(wanted.flatMap(({ name }) => name ?? []))] },
  };
  return new TakenPlaces(await tx.role.findMany({ where, select: { container: true, name: true } }));
}

/** The refusal of a name that another role of the same realm or client has. */
export const takenName = (name: string | undefined): string => `Role with name ${name} already exists`;
