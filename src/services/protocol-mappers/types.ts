import { allMapperTypes } from '../providers/protocol-mappers.js';

const known = new Set(allMapperTypes.map(({ id }) => id));

/** Whether such a mapper exists for any protocol: the contract does not compare it with the protocol of the mapper. */
export const isMapperType = (type: string | undefined): boolean => type !== undefined && known.has(type);
