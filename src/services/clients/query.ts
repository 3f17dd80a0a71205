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

const quoted = /"(?:\\.|[^"\\])*"/y;
const bareName = /[^\s:"]+/y;
const bareValue = /\S+/y;

const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, '$1');

/** The attributes that `q=key:value key2:"a value"` asks for. Reads each character a bounded number of times. */
export function attributesOf(query: string): [name: string, value: string][] {
  const found: [string, string][] = [];
  let at = 0;
  // whether a quotation mark may still have its second one
  let closes = true;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(query)?.[0];
    if (text !== undefined) at += text.length;
    return text;
  };
  const takeQuoted = (): string | undefined => {
    if (!closes || query[at] !== '"') return undefined;
    const text = take(quoted);
    closes = text !== undefined;
    return text && unquoted(text);
  };
  while (at < query.length) {
    const name = takeQuoted() ?? take(bareName);
    if (name === undefined || query[at] !== ':') {
      if (name === undefined) at += 1;
      continue;
    }
    at += 1;
    const value = takeQuoted() ?? take(bareValue);
    if (value !== undefined) found.push([name, value]);
  }
  return found;
}
