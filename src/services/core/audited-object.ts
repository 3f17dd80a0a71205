import { members } from './json.js';
import type { AuditRecord } from './operation.js';

/** The object of an audit record, by its type. The ID is missing if the path has a name instead. */
export interface AuditedObject {
  type: string;
  id?: string;
  /** the type of a policy or permission, each of which has its own object type */
  policyType?: string;
}

/** The targets of paths of audit records, innermost first: the type of the object, and its ID if the path has it. */
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

/** The object that a path of audit records leads to; the realm if it leads to no object in it. */
function objectAt(path: string): AuditedObject {
  for (const [place, type] of places) {
    const found = place.exec(path);
    if (found) return { type, ...(found[1] !== undefined && { id: found[1] }) };
  }
  return { type: 'Realm' };
}

/**
 * The object of a record. The ID that the record states takes precedence over its path. `content` returns the
 * representation in the record.
 */
export function auditedObject(
  realmId: string,
  { resourcePath, resourceId }: { resourcePath: string; resourceId?: string | null },
  content: () => unknown,
): AuditedObject {
  const { type, id } = objectAt(resourcePath);
  const known = resourceId ?? id ?? (type === 'Realm' ? realmId : undefined);
  const object = { type, ...(known !== undefined && { id: known }) };
  if (type !== 'AuthorizationPolicy') return object;
  const { type: policyType } = members(content());
  return typeof policyType === 'string' ? { ...object, policyType } : object;
}

/** The object that a record is about before it is stored. */
export const objectOfRecord = (realmId: string, record: AuditRecord): AuditedObject =>
  auditedObject(realmId, record, () => record.representation ?? record.before);
