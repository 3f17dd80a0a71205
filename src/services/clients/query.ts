import { textsInOrder } from '../../database/like.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { isSecretAttribute } from './secrets.js';

/** Contains, in the clientId, whatever the case. The search column has the clientId on its first line. */
export const clientIdContains = (text: string): Prisma.ClientWhereInput => ({
  search: { contains: textsInOrder(text.toLowerCase(), '\n') },
});

/** Contains, in the clientId or the name, whatever the case. */
export const matching = (text: string | undefined): Prisma.ClientWhereInput => {
  const needle = text?.trim().toLowerCase();
  return needle ? { search: { contains: needle } } : {};
};

/** An attribute that has to be there, with tests of its value. Secret ones cannot be searched for. */
export const attributeWhere = (name: string, tests: object = { not: null }): Prisma.ClientWhereInput =>
  isSecretAttribute(name)
    ? { id: { in: [] } }
    : { attributes: { path: name, ...tests } as Prisma.JsonFilter<'Client'> };
