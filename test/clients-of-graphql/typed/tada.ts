// Typechecked: gql.tada infers the types of documents from the schema, without a generated file per document.
import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import type { introspection } from './graphql-env.js';

const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string } }>();

export const users = graphql(`
  query TadaUsers($realm: String!, $first: Int) {
    realm(name: $realm) {
      users(first: $first) {
        edges {
          node {
            id
            username
            isEnabled
          }
        }
      }
    }
  }
`);

/** The usernames of a page. */
export const usernames = (data: ResultOf<typeof users>): string[] =>
  (data.realm?.users?.edges ?? []).map(({ node }) => node.username);

export const variables: VariablesOf<typeof users> = { realm: 'master', first: 10 };

// @ts-expect-error the realm is a name
export const wrong: VariablesOf<typeof users> = { realm: 1 };
