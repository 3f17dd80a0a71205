// Read by the Relay compiler only: a build with its Babel plugin replaces these texts by what it generates.
import { graphql } from 'relay-runtime';

export const users = graphql`
  query documentsUsersQuery($realm: String!, $count: Int!, $cursor: String) {
    realm(name: $realm) {
      id
      ...documentsUsers @arguments(count: $count, cursor: $cursor)
    }
  }
`;

export const list = graphql`
  fragment documentsUsers on Realm
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" })
  @refetchable(queryName: "documentsUsersPaginationQuery") {
    users(first: $count, after: $cursor) @connection(key: "documents_users") {
      edges {
        node {
          id
          username
          ...documentsUser
        }
      }
    }
  }
`;

export const user = graphql`
  fragment documentsUser on User @refetchable(queryName: "documentsUserRefetchQuery") {
    id
    username
    firstName
    version
  }
`;

export const update = graphql`
  mutation documentsUserUpdateMutation($input: UserUpdateInput!) {
    userUpdate(input: $input) {
      user {
        id
        firstName
        version
      }
      userErrors {
        code
        message
      }
    }
  }
`;

export const remove = graphql`
  mutation documentsUsersDeleteMutation($input: UsersDeleteInput!, $connections: [ID!]!) {
    usersDelete(input: $input) {
      deletedIds @deleteEdge(connections: $connections)
      userErrors {
        code
        message
      }
    }
  }
`;

export const events = graphql`
  subscription documentsAdminEventsSubscription($realm: ID!, $after: String) {
    adminEvents(realm: $realm, after: $after) {
      cursor
      event {
        id
        operationType
        resourcePath
      }
    }
  }
`;
