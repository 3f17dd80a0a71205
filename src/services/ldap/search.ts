import type { Filter } from 'ldapts';
import type { Directory } from './directory.js';
import { type Entry, entryOf } from './entry.js';
import { LdapFault, ldapFault, resultCodes } from './fault.js';
import { lend, withDirectory } from './pool.js';

/** What is looked for. */
export interface Search {
  base: string;
  scope: 'base' | 'one' | 'sub';
  filter: Filter;
  attributes: readonly string[];
  /** those of them whose values are bytes */
  binary?: readonly string[];
}

const optionsOf = ({ scope, filter, attributes, binary = [] }: Search) => ({
  scope,
  filter,
  attributes: [...attributes],
  explicitBufferAttributes: [...binary],
});

/**
 * All entries, a page at a time (RFC 2696), over one connection. Referrals to other servers are not followed. Throws
 * `LdapFault`, also when the directory stops in the middle.
 */
export async function* pagesOf(directory: Directory, search: Search, pageSize: number): AsyncGenerator<Entry[]> {
  const { client, giveBack } = await lend(directory);
  // whoever stops reading leaves a search open, so the connection does not go to others then
  let good = false;
  const pages = client.searchPaginated(search.base, { ...optionsOf(search), paged: { pageSize } });
  try {
    for (;;) {
      const page = await pages.next().catch((error: unknown) => {
        throw ldapFault(error);
      });
      if (page.done) break;
      yield page.value.searchEntries.map(entryOf);
    }
    good = true;
  } finally {
    giveBack(good);
  }
}

/** All entries at once, for directories that do not know pages; they come in slices of the same size. */
export async function* wholeOf(directory: Directory, search: Search, pageSize: number): AsyncGenerator<Entry[]> {
  const entries = await withDirectory(directory, async (client) => {
    const { searchEntries } = await client.search(search.base, optionsOf(search));
    return searchEntries.map(entryOf);
  });
  for (let at = 0; at < entries.length; at += pageSize) yield entries.slice(at, at + pageSize);
}

/** The first entries that match, at most so many. Throws `LdapFault`. */
export function findEntries(directory: Directory, search: Search, most: number): Promise<Entry[]> {
  return withDirectory(directory, async (client) => {
    try {
      const { searchEntries } = await client.search(search.base, { ...optionsOf(search), sizeLimit: most });
      return searchEntries.map(entryOf);
    } catch (error) {
      if (ldapFault(error).code === resultCodes.sizeLimitExceeded) return [];
      throw error;
    }
  });
}

/** The one entry that matches. Two of them are a fault, as nobody can tell who is meant. */
export async function findEntry(directory: Directory, search: Search): Promise<Entry | undefined> {
  const [entry, another] = await findEntries(directory, search, 2);
  if (another) throw new LdapFault('the directory has two entries for one user', resultCodes.success);
  return entry;
}
