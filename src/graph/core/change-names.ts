import type { Change } from '../../services/core/changes.js';
import { type FieldOf, renamedPath } from './input-path.js';

const byType = new Map<string, FieldOf>();

/** Declares what the fields of the objects of a type are called here, for those that the contract calls otherwise. */
export const nameFields = (type: string, fieldOf: FieldOf): void => void byType.set(type, fieldOf);

/** A change with its path as it is called here: by the type of the object, whatever mutation changed it. */
export const renamedChange = <C extends Change>(change: C, type: string | undefined, otherwise: FieldOf): C => ({
  ...change,
  path: renamedPath(change.path, byType.get(type ?? '') ?? otherwise),
});
