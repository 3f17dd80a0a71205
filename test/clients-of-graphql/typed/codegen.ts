// Typechecked: GraphQL Code Generator gives the documents their types.
import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core';
import { graphql } from './gql/index.js';

export const users = graphql(`
  query TypedUsers($realm: String!, $filter: UserFilter) {
    realm(name: $realm) {
      users(first: 10, filter: $filter) {
        totalCount
        edges {
          node {
            id
            username
            isEnabled
            createdAt
          }
        }
      }
    }
  }
`);

export const update = graphql(`
  mutation TypedUserUpdate($input: UserUpdateInput!) {
    userUpdate(input: $input) {
      user {
        id
        version
      }
      userErrors {
        code
        message
      }
    }
  }
`);

/** The usernames of a page. */
export const usernames = (data: ResultOf<typeof users>): string[] =>
  (data.realm?.users?.edges ?? []).map(({ node }) => node.username);

export const variables: VariablesOf<typeof users> = { realm: 'master', filter: { isEnabled: true } };

// @ts-expect-error a filter has no such field
export const wrong: VariablesOf<typeof users> = { realm: 'master', filter: { name: 'x' } };
