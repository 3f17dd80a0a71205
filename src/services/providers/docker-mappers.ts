import { type MapperType, mapper } from './provider.js';

/** Types of protocol mappers for docker-v2. */
export const dockerMappers: readonly MapperType[] = [
  mapper(
    'docker-v2-allow-all-mapper',
    'Allow All',
    'Docker Auth Mapper',
    0,
    'Grants every action that a registry requests.',
    [],
  ),
];
