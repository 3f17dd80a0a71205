import type { Parameters } from '../matrix/addresses.js';

// IDs for inputs of mutations, and items of their lists that differ.

const parameterOf: Record<string, string> = {
  Role: 'role-id',
  Group: 'groupId',
  Client: 'client',
  ClientScope: 'clientScopeId',
  User: 'userId',
  AuthenticationFlow: 'flows:id',
  Component: 'components:id',
  UserStorage: 'user-storage:id',
  AuthorizationResource: 'resource-id',
  AuthorizationScope: 'scope-id',
  RoleAuthorizationPolicy: 'policy-id',
  ProtocolMapper: 'mapperId',
};

/**
 * The ID of an object of a type: of the one at this place in `many`, or of the one that paths name; of none where this test has made
 * none.
 */
export const idsIn =
  (params: Parameters, many: Readonly<Record<string, readonly string[]>>) =>
  (type: string, at = 0): string => {
    const own = many[type]?.[at] ?? params[parameterOf[type] ?? ''];
    return Buffer.from(`${type}:${own ?? '00000000-0000-4000-8000-000000000000'}`).toString('base64');
  };

/** An item of an input whose names and other texts no other item has. */
export const numberedItem = (item: unknown, at: number): unknown =>
  JSON.parse(JSON.stringify(item).replaceAll('matrix-value', `value-${at}`));
