import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { ownMember } from '../../services/core/json.js';

/**
 * The types of IDs in fields and arguments that are named after a role; `Type.field` if the role depends on the place.
 */
const roles: Readonly<Record<string, readonly string[]>> = {
  actor: ['User'],
  after: ['Credential'],
  browser: ['AuthenticationFlow'],
  clientAuthentication: ['AuthenticationFlow'],
  container: ['Realm', 'Client'],
  directGrant: ['AuthenticationFlow'],
  dockerAuthentication: ['AuthenticationFlow'],
  firstLoginFlow: ['AuthenticationFlow'],
  object: ['Node'],
  owner: ['Client', 'ClientScope'],
  parent: ['Realm', 'Group'],
  policies: ['AuthorizationPolicy'],
  postLoginFlow: ['AuthenticationFlow'],
  registration: ['AuthenticationFlow'],
  resetCredentials: ['AuthenticationFlow'],
  resource: ['Node'],
  resources: ['AuthorizationResource'],
  scopes: ['AuthorizationScope'],
  subflow: ['AuthenticationFlow'],
  target: ['Role', 'Group', 'Client', 'IdentityProvider', 'Realm'],
  'ComponentCreateInput.parent': ['Realm', 'Component', 'UserStorage'],
  'ComponentFilter.parent': ['Realm', 'Component', 'UserStorage'],
  'Query.node.id': ['Node'],
  // the mutation that applies a file to a realm; `RealmApply` is its record
  'RealmApplyInput.id': ['Realm'],
  'Query.nodes.ids': ['Node'],
  'Query.why.object': ['Node'],
};

const isNode = (type: GraphQLNamedType): boolean =>
  (isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().some(({ name }) => name === 'Node');

const lowerCamel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** An input field or an argument that is an ID or a list of IDs. */
export interface IdPlace {
  /** name of the input type, or of the type and the field of the argument */
  of: string;
  name: string;
  description: string | null | undefined;
}

/** All input fields and arguments of a schema that are IDs. */
export function idPlaces(schema: GraphQLSchema): IdPlace[] {
  const isId = ({ type }: { type: GraphQLInputType }) => getNamedType(type).name === 'ID';
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__')) return [];
    if (isInputObjectType(type)) {
      return Object.values(type.getFields())
        .filter(isId)
        .map(({ name, description }) => ({ of: type.name, name, description }));
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) =>
      field.args.filter(isId).map(({ name, description }) => ({ of: `${type.name}.${field.name}`, name, description })),
    );
  });
}

/**
 * The possible types of an ID. The field is named after its type (`clientScope`, `clientScopes`,
 * `defaultClientScopes`). It is named `id` or `ids` if the mutation is named after the type. Otherwise it is named
 * after a role.
 */
export function typesOfId(schema: GraphQLSchema, { of, name }: Pick<IdPlace, 'of' | 'name'>): readonly string[] {
  // a role takes precedence over a type: `resetCredentials` is a flow, not a list of credentials
  const stated = ownMember(roles, `${of}.${name}`) ?? ownMember(roles, name);
  if (stated) return stated;
  const nodes = Object.values(schema.getTypeMap())
    .filter(isNode)
    .map((type) => type.name)
    .sort((one, other) => other.length - one.length);
  const named = nodes.find((node) =>
    name === 'id' || name === 'ids'
      ? of.startsWith(node)
      : [lowerCamel(node), `${lowerCamel(node)}s`].includes(name) || name.endsWith(`${node}s`),
  );
  if (!named) throw new Error(`Name ${of}.${name} after the type whose ID it takes, or add its role to id-types.ts`);
  return [named];
}
