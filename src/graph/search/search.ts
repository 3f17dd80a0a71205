import { limit } from '../../config/limits.js';
import { invalid } from '../../services/core/refusal.js';
import * as realms from '../../services/realms/operations.js';
import { kinds, type SearchType, searchTypes } from '../../services/search/kinds.js';
import type { Match } from '../../services/search/match.js';
import { type Hit, search } from '../../services/search/search.js';
import { builder } from '../core/builder.js';
import { defaultPageSize } from '../core/limits.js';
import { searchCost } from '../core/list-cost.js';
import { parseIds } from '../core/node.js';
import { readNode } from '../core/nodes.js';
import { requireSize } from '../core/page.js';
import { Realm } from '../realms/realms.js';

const mostHits = limit('Searches and pages', 'Results of `search` in GraphQL', 50, 'objects', '`LIMIT`');
const longestText = limit('Searches and pages', 'Text of `search` in GraphQL', 100, 'characters', '`INVALID`');
const mostRealms = limit('Searches and pages', 'Realms in `search` in GraphQL', 100, 'IDs', '`LIMIT`');

const typeDescriptions: Readonly<Record<SearchType, string>> = {
  USER: 'Users, by username, email address, first name, and last name.',
  GROUP: 'Groups of all levels, by name.',
  ROLE: 'Roles of realms and clients, by name and description.',
  CLIENT: 'Clients, by clientId and display name.',
  CLIENT_SCOPE: 'Client scopes, by name.',
  IDENTITY_PROVIDER: 'Identity providers, by alias and display name.',
  REALM: 'Realms, by name, and by display name if the caller may view the settings of the realm.',
};

const SearchTypeRef = builder.enumType('SearchType', {
  description: 'Type of objects that `search` finds.',
  values: Object.fromEntries(searchTypes.map((type) => [type, { description: typeDescriptions[type] }])) as Record<
    SearchType,
    { description: string }
  >,
});

const matchDescriptions: Readonly<Record<Match, string>> = {
  EXACT: 'The text is the whole field.',
  PREFIX: 'The field begins with the text.',
  WORD: 'A word of the field begins with the text. A word follows a space or one of `-`, `_`, `.`, `/`, and `@`.',
  CONTAINED: 'The field contains the text, or the fields of the object contain each of its words.',
};

const SearchMatch = builder.enumType('SearchMatch', {
  description: 'How a field matches the text of a search, best match first.',
  values: Object.fromEntries(
    Object.entries(matchDescriptions).map(([match, description]) => [match, { description }]),
  ) as Record<Match, { description: string }>,
});

const SearchHit = builder.objectRef<Hit>('SearchHit').implement({
  description: 'An object that `search` has found.',
  fields: (t) => ({
    type: t.field({ type: SearchTypeRef, description: 'Type of the object.', resolve: ({ type }) => type }),
    node: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description: 'The object. Null if it was deleted during the request.',
      resolve: ({ type, id }, _args, ctx, info) => readNode(ctx, info, { typename: kinds[type].model, id }),
    }),
    realm: t.field({
      type: Realm,
      nullable: true,
      description:
        'Realm in which the object was found. For a result of type `REALM`, this realm. Null if it was deleted during the request.',
      resolve: async ({ realmId }, _args, ctx, info) =>
        (await readNode(ctx, info, { typename: 'Realm', id: realmId })) as { id: string } | null,
    }),
    match: t.field({ type: SearchMatch, description: 'How the field matches.', resolve: ({ match }) => match }),
    matchedField: t.exposeString('field', {
      description: 'Name of the field of `node` that matches best, e.g. `username`.',
    }),
    matchedValue: t.exposeString('value', { description: 'Value of the field that matches best.' }),
  }),
});

/** The requested number of results. Refuses a number above the maximum. */
function sizeOf(first: number | null | undefined): number {
  const size = first ?? defaultPageSize;
  if (size > mostHits)
    throw invalid(`\`first\` must be at most ${mostHits}, got ${size}`, 'first', { argument: 'LIMIT' });
  requireSize(size, 'first');
  return size;
}

builder.queryField('search', (t) =>
  t.field({
    type: [SearchHit],
    nullable: true,
    description:
      'Searches the objects of all realms that the caller may view, case-insensitively. Best matches first, then by name. An object that the caller may not view is treated like one that does not exist. Directories are not asked, so users whom they have not imported yet are not found.',
    requires: { operation: realms.name, otherwise: 'EMPTY', isChecked: true },
    args: {
      query: t.arg.string({
        required: true,
        description: `Text to search for, at most ${longestText} characters. An empty text matches nothing.`,
        extensions: { maxLength: longestText },
      }),
      types: t.arg({ type: [SearchTypeRef], description: 'Types to search for. Omit for all.' }),
      realms: t.arg.idList({
        description: `IDs of realms to search in, at most ${mostRealms}. Omit for all realms that the caller may view.`,
      }),
      first: t.arg.int({ description: `Number of results. Default ${defaultPageSize}, maximum ${mostHits}.` }),
    },
    complexity: ({ types, first }) =>
      searchCost(types ? new Set(types).size : searchTypes.length, Math.max(0, first ?? defaultPageSize)),
    resolve: async (_root, { query, types, realms: ids, first }, ctx) => {
      const most = sizeOf(first);
      if (ids && ids.length > mostRealms) {
        throw invalid(`\`realms\` must have at most ${mostRealms} items, got ${ids.length}`, 'realms', {
          argument: 'LIMIT',
        });
      }
      const realmIds = ids ? parseIds(ids, 'realms', 'Realm') : undefined;
      return most === 0 ? [] : search(ctx, { text: query, types: types ?? undefined, realmIds, most });
    },
  }),
);
