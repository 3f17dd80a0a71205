import type { SearchResult } from 'ldapts';
import { withoutPlace } from '../core/place.js';
import { expectAnswer, tracedRequest } from './connection.js';
import type { Directory } from './directory.js';
import type { Entry } from './entry.js';
import { LdapFault, ldapFault, resultCodes } from './fault.js';
import { lend, withDirectory } from './pool.js';
import { type Asked, entriesFor } from './referral.js';
import type { Search } from './search-request.js';

const optionsOf = ({ scope, filter, attributes, binary = [] }: Search) => ({
  scope,
  filter,
  attributes: [...attributes],
  explicitBufferAttributes: [...binary],
});

/** Pages without entries that a directory may send one after the other. */
const mostEmptyPages = 1000;

/** All entries, a page at a time (RFC 2696). Throws `LdapFault`, also when the directory stops in the middle. */
export const pagesOf = (directory: Directory, search: Search, pageSize: number): AsyncGenerator<Entry[]> =>
  entriesFor({ directory, search }, (asked) => paged(asked, pageSize));

async function* paged({ directory, search }: Asked, pageSize: number): AsyncGenerator<SearchResult> {
  const { client, giveBack } = await withoutPlace(() => lend(directory));
  // a search that is not read to its end stays open, so its connection is not for others
  let good = false;
  const pages = client.searchPaginated(search.base, { ...optionsOf(search), paged: { pageSize } });
  try {
    for (let empty = 0; ; ) {
      expectAnswer(client);
      const page = await withoutPlace(() => tracedRequest('search', client, () => pages.next())).catch(
        (error: unknown) => {
          throw ldapFault(error);
        },
      );
      if (page.done) break;
      empty = page.value.searchEntries.length === 0 ? empty + 1 : 0;
      if (empty > mostEmptyPages) throw new LdapFault('the directory returned pages without entries');
      yield page.value;
    }
    good = true;
  } finally {
    giveBack(good);
  }
}

/** All entries at once, for directories without pages; they come in slices of the same size. */
export async function* wholeOf(directory: Directory, search: Search, pageSize: number): AsyncGenerator<Entry[]> {
  for await (const entries of entriesFor({ directory, search }, (asked) => atOnce(asked))) {
    for (let at = 0; at < entries.length; at += pageSize) yield entries.slice(at, at + pageSize);
  }
}

async function* atOnce({ directory, search }: Asked, more: { sizeLimit?: number } = {}): AsyncGenerator<SearchResult> {
  yield await withDirectory(directory, (client) => client.search(search.base, { ...optionsOf(search), ...more }));
}

/** The first matching entries, up to a maximum. Throws `LdapFault`. */
export async function findEntries(directory: Directory, search: Search, most: number): Promise<Entry[]> {
  const found: Entry[] = [];
  const limit = { sizeLimit: most };
  try {
    for await (const entries of entriesFor({ directory, search }, (asked) => atOnce(asked, limit))) {
      found.push(...entries);
      if (found.length >= most) break;
    }
  } catch (error) {
    if (ldapFault(error).code === resultCodes.sizeLimitExceeded) return [];
    throw error;
  }
  return found.slice(0, most);
}

/** The one matching entry. Two of them are a fault, because it is unclear which user is meant. */
export async function findEntry(directory: Directory, search: Search): Promise<Entry | undefined> {
  const [entry, another] = await findEntries(directory, search, 2);
  if (another) throw new LdapFault('the directory has two entries for one user', resultCodes.success);
  return entry;
}
