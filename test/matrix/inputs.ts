import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';

/** The type that an id field means, by the name of the field or, for `id`, of the mutation. */
export function typeOfId(mutation: string, field: string): string {
  const known: Record<string, string> = {
    container: 'Realm',
    parent: /^groups?Move$/.test(mutation) ? 'Group' : 'Realm',
    realm: 'Realm',
    group: 'Group',
    groups: 'Group',
    roles: 'Role',
    client: 'Client',
    owner: 'Client',
    scope: 'ClientScope',
    users: 'User',
    flow: 'AuthenticationFlow',
    subflow: 'AuthenticationFlow',
    policy: 'RoleAuthorizationPolicy',
    execution: 'FlowExecution',
  };
  if (known[field]) return known[field];
  if (/Credential($|Label)/.test(mutation)) return 'Credential';
  if (mutation.startsWith('authenticationFlow')) return 'AuthenticationFlow';
  if (mutation.startsWith('flowExecution')) return 'FlowExecution';
  if (mutation.startsWith('authenticatorConfig')) return 'AuthenticatorConfig';
  if (mutation.startsWith('requiredAction')) return 'RequiredAction';
  if (mutation.startsWith('identityProviderMapper') && field === 'id') return 'IdentityProviderMapper';
  if (mutation.startsWith('identityProvider')) return 'IdentityProvider';
  if (mutation.startsWith('clientInitialAccess')) return 'ClientInitialAccess';
  if (mutation.startsWith('clientScope')) return 'ClientScope';
  if (mutation.startsWith('protocolMapper')) return 'ProtocolMapper';
  if (mutation.startsWith('session')) return 'UserSession';
  if (mutation.startsWith('managementPermission')) return 'Role';
  if (mutation.startsWith('userStorageMapper')) return 'UserStorageMapper';
  if (mutation.startsWith('userStorage')) return 'UserStorage';
  if (/^(users|groups|roles|clients)[A-Z]/.test(mutation)) {
    return mutation.charAt(0).toUpperCase() + mutation.slice(1).replace(/s[A-Z].*/, '');
  }
  const [first = ''] = mutation.match(/^[a-z]+/) ?? [];
  return first.charAt(0).toUpperCase() + first.slice(1);
}

/** The least value of an input type; `idOf` gives the ids. */
export function least(
  type: GraphQLInputType,
  mutation: string,
  field: string,
  idOf: (typename: string) => string,
): unknown {
  if (isNonNullType(type)) return least(type.ofType, mutation, field, idOf);
  if (isListType(type)) return [least(type.ofType, mutation, field, idOf)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) return leastInput(type, mutation, idOf);
  switch (getNamedType(type).name) {
    case 'ID':
      return idOf(typeOfId(mutation, field));
    case 'Boolean':
      return true;
    case 'Int':
      return 1;
    case 'JSON':
      return {};
    default:
      return 'matrix-value';
  }
}

const leastInput = (type: GraphQLInputObjectType, mutation: string, idOf: (typename: string) => string): object =>
  Object.fromEntries(
    Object.values(type.getFields())
      .filter((field, index) => isNonNullType(field.type) || (type.isOneOf && index === 0))
      .map((field) => [field.name, least(field.type, mutation, field.name, idOf)]),
  );
