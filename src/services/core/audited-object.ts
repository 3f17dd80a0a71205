/** An object that an audit record is about, by its type. The id is missing where the path has a name instead. */
export interface AuditedObject {
  type: string;
  id?: string;
}

/** Where paths of audit records lead, innermost first: the type of the object, and its id if the path has it. */
const places: readonly [RegExp, string][] = [
  [/^(?:users|attack-detection\/brute-force\/users)\/([^/]+)/, 'User'],
  [/^groups\/[^/]+\/children$/, 'Group'],
  [/^(?:default-)?groups\/([^/]+)/, 'Group'],
  [/^(?:clients|client-scopes)\/[^/]+\/protocol-mappers\/models\/([^/]+)/, 'ProtocolMapper'],
  [/^clients\/[^/]+\/roles\/[^/]+/, 'Role'],
  [/^clients\/[^/]+\/authz\/resource-server\/resource\/([^/]+)/, 'AuthorizationResource'],
  [/^clients\/[^/]+\/authz\/resource-server\/scope\/([^/]+)/, 'AuthorizationScope'],
  [/^clients\/[^/]+\/authz\/resource-server\/(?:policy|permission)\/([^/]+)$/, 'AuthorizationPolicy'],
  [/^clients\/([^/]+)/, 'Client'],
  [/^client-scopes\/([^/]+)/, 'ClientScope'],
  [/^default-(?:default|optional)-client-scopes\/([^/]+)/, 'ClientScope'],
  [/^clients-initial-access\/([^/]+)/, 'ClientInitialAccess'],
  [/^roles-by-id\/([^/]+)/, 'Role'],
  [/^roles\/[^/]+/, 'Role'],
  [/^components\/([^/]+)/, 'Component'],
  [/^user-storage\/[^/]+\/mappers\/([^/]+)/, 'UserStorageMapper'],
  [/^user-storage\/([^/]+)/, 'UserStorage'],
  [/^identity-provider\/instances\/[^/]+\/mappers\/([^/]+)/, 'IdentityProviderMapper'],
  [/^identity-provider\/instances\/[^/]+/, 'IdentityProvider'],
  [/^authentication\/flows\/([^/]+)$/, 'AuthenticationFlow'],
  [/^authentication\/flows\//, 'AuthenticationFlow'],
  [/^authentication\/executions\/([^/]+)/, 'FlowExecution'],
  [/^authentication\/config\/([^/]+)/, 'AuthenticatorConfig'],
  [/^authentication\/(?:required-actions\/[^/]+|register-required-action)/, 'RequiredAction'],
  [/^webhooks\/([^/]+)/, 'Webhook'],
];

/** The object that a path of audit records leads to: the realm where it leads to nothing in it. */
export function objectAt(path: string): AuditedObject {
  for (const [place, type] of places) {
    const found = place.exec(path);
    if (found) return { type, ...(found[1] !== undefined && { id: found[1] }) };
  }
  return { type: 'Realm' };
}
