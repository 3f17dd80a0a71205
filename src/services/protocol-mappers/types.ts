import { allMapperTypes } from '../providers/protocol-mappers.js';

const known = new Set(allMapperTypes.map(({ id }) => id));

/** Whether there is such a mapper, of whichever protocol: the contract does not compare it with that of the mapper. */
export const isMapperType = (type: string | undefined): boolean => type !== undefined && known.has(type);
