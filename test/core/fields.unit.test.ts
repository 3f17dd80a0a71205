import { type GraphQLInputObjectType, type GraphQLObjectType, getNamedType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../../src/database/model.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { clientScopeFields, protocolMapperFields } from '../../src/services/client-scopes/fields.js';
import { clientFields } from '../../src/services/clients/fields.js';
import type { Fields } from '../../src/services/core/fields.js';
import { groupFields } from '../../src/services/groups/fields.js';
import { identityProviderFields } from '../../src/services/identity-providers/fields.js';
import { roleFields } from '../../src/services/roles/fields.js';
import { userFields } from '../../src/services/users/fields.js';

// A table of fields names every column of its model, so that a new column cannot be written by one way and lost by another.

interface Resource {
  model: string;
  fields: Fields;
  /** columns that code beside the table reads and writes */
  others: readonly string[];
  creation: string;
  update: string;
}

const resources: Resource[] = [
  {
    model: 'Role',
    fields: roleFields,
    others: ['realmId', 'clientId', 'container', 'search', 'version'],
    creation: 'roleCreate',
    update: 'roleUpdate',
  },
  {
    model: 'Client',
    fields: clientFields,
    others: [
      'id',
      'realmId',
      'secret',
      'previousSecret',
      'previousSecretUntil',
      'registrationToken',
      'attributes',
      'authenticationFlowBindingOverrides',
      'registeredNodes',
      'search',
      'version',
    ],
    creation: 'clientCreate',
    update: 'clientUpdate',
  },
  {
    model: 'ClientScope',
    fields: clientScopeFields,
    others: ['realmId', 'attributes', 'assignment', 'version'],
    creation: 'clientScopeCreate',
    update: 'clientScopeUpdate',
  },
  {
    model: 'ProtocolMapper',
    fields: protocolMapperFields,
    others: ['realmId', 'clientId', 'clientScopeId', 'container', 'config'],
    creation: 'protocolMapperCreate',
    update: 'protocolMapperUpdate',
  },
  {
    model: 'Group',
    fields: groupFields,
    others: ['realmId', 'parentId', 'container', 'search', 'isDefault', 'version'],
    creation: 'groupCreate',
    update: 'groupUpdate',
  },
  {
    model: 'IdentityProvider',
    fields: identityProviderFields,
    others: ['id', 'realmId', 'position', 'config', 'secrets', 'version'],
    creation: 'identityProviderCreate',
    update: 'identityProviderUpdate',
  },
];

const ofUser = [
  'realmId',
  'uniqueEmail',
  'createdTimestamp',
  'notBefore',
  'federationLink',
  'federationId',
  'keptFields',
  'serviceAccountClientId',
  'requiredActions',
  'search',
  'version',
];
resources.push({ model: 'User', fields: userFields, others: ofUser, creation: 'userCreate', update: 'userUpdate' });

const schema = graphqlSchema();

const inputFields = (mutation: string): string[] => {
  const type = getNamedType(schema.getMutationType()?.getFields()[mutation]?.args[0]?.type);
  return Object.keys((type as GraphQLInputObjectType).getFields());
};

describe.each(resources)('the fields of $model', ({ model, fields, others, creation, update }) => {
  const declared = Object.entries(fields);

  it('name every column', () => {
    const columns = modelOf(model).scalars.map(({ name }) => name);
    const stored = declared.flatMap(([name, { isStored }]) => (isStored ? name : []));
    expect([...stored, ...others].toSorted()).toEqual(columns.toSorted());
  });

  it('are in the type and in the inputs of GraphQL', () => {
    const shown = declared.flatMap(([name, { graph }]) =>
      graph && !graph.group ? { ...graph, name: graph.name ?? name } : [],
    );
    const typeFields = Object.keys((schema.getType(model) as GraphQLObjectType).getFields());
    const names = (isIn: (inputs?: 'creation' | 'none') => boolean) =>
      shown.flatMap(({ name, inputs }) => (isIn(inputs) ? name : []));
    expect(typeFields).toEqual(expect.arrayContaining(names(() => true)));
    expect(inputFields(creation)).toEqual(expect.arrayContaining(names((inputs) => inputs !== 'none')));
    expect(inputFields(update)).toEqual(expect.arrayContaining(names((inputs) => inputs === undefined)));
  });

  it('are described where GraphQL has them', () => {
    const undescribed = declared.flatMap(([name, { graph, description }]) => (graph && !description ? name : []));
    expect(undescribed).toEqual([]);
  });
});
