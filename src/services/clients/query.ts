import { literally } from '../../database/where.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { isSecretAttribute } from './secrets.js';

/** Contains, in the clientId, whatever the case. The search column has the clientId on its first line. */
export const clientIdContains = (text: string): Prisma.ClientWhereInput => ({
  search: { contains: `${literally(text.toLowerCase())}%\n` },
});

/** Contains, in the clientId or the name, whatever the case. */
export const matching = (text: string | undefined): Prisma.ClientWhereInput => {
  const needle = text?.trim().toLowerCase();
  return needle ? { search: { contains: literally(needle) } } : {};
};

/** An attribute that has to be there, with tests of its value. Secret ones cannot be searched for. */
export const attributeWhere = (name: string, tests: object = { not: null }): Prisma.ClientWhereInput =>
  isSecretAttribute(name)
    ? { id: { in: [] } }
    : { attributes: { path: name, ...tests } as Prisma.JsonFilter<'Client'> };

const part = String.raw`"(?:\\.|[^"\\])*"`;
const pairs = new RegExp(String.raw`(${part}|[^\s:"]+):(${part}|\S+)`, 'g');

const unquoted = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;

/** The attributes that `q=key:value key2:"a value"` asks for. */
export const attributesOf = (query: string): [name: string, value: string][] =>
  [...query.matchAll(pairs)].map(([, name = '', value = '']) => [unquoted(name), unquoted(value)]);
