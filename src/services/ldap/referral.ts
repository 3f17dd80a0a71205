import { FilterParser, type SearchResult } from 'ldapts';
import type { Directory } from './directory.js';
import { type Entry, entryOf } from './entry.js';
import { LdapFault } from './fault.js';
import type { Search } from './search-request.js';

/** A search and its server. */
export interface Asked {
  directory: Directory;
  search: Search;
}

/** Maximum referrals that one search follows. */
const mostReferrals = 20;

const isScope = (text: string): text is Search['scope'] => text === 'base' || text === 'one' || text === 'sub';

/**
 * The target of a referral: missing parts of its URL (RFC 4516) come from the search. A storage that uses TLS uses it
 * with every other server as well.
 */
function referredBy(address: string, { directory, search }: Asked): Asked {
  if (!/^ldaps?:\/\/[^/?]/i.test(address) || !URL.canParse(address)) {
    throw new LdapFault('the directory referred to a URL that is not valid');
  }
  const { protocol, host, pathname } = new URL(address);
  const [, , scope = '', filter = ''] = address.split('?');
  const base = decodeURIComponent(pathname.slice(1));
  const isSecure = directory.startTls || directory.urls.some((url) => /^ldaps:/i.test(url));
  return {
    directory: { ...directory, urls: [`${protocol}//${host}`], startTls: isSecure },
    search: {
      ...search,
      ...(base !== '' && { base }),
      ...(isScope(scope) && { scope }),
      ...(filter !== '' && { filter: FilterParser.parseString(decodeURIComponent(filter)) }),
    },
  };
}

/** The target of a referral. Throws `LdapFault` for a URL that cannot be read. */
function target(address: string, asked: Asked): Asked {
  try {
    return referredBy(address, asked);
  } catch (error) {
    throw error instanceof LdapFault ? error : new LdapFault('the directory referred to a URL that is not valid');
  }
}

/**
 * The entries that a search finds in the directory. If the storage follows referrals, also at the servers that it
 * refers to, with the same bind DN. A server that does not answer is a fault, because its entries would seem to be
 * deleted.
 */
export async function* entriesFor(
  first: Asked,
  read: (asked: Asked) => AsyncIterable<SearchResult>,
): AsyncGenerator<Entry[]> {
  const queue = [first];
  const known = new Set<string>();
  for (const asked of queue) {
    for await (const { searchEntries, searchReferences } of read(asked)) {
      const server = asked === first ? {} : { server: asked.directory };
      yield searchEntries.map((entry) => ({ ...entryOf(entry), ...server }));
      if (!first.directory.followsReferrals) continue;
      for (const address of searchReferences.filter((reference) => !known.has(reference))) {
        if (known.size === mostReferrals) throw new LdapFault('the directory referred to too many other servers');
        known.add(address);
        queue.push(target(address, asked));
      }
    }
  }
}
