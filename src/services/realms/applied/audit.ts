import { setMember } from '../../core/json.js';
import type { AuditRecord } from '../../core/operation.js';
import { touchesWebhooks } from '../../webhooks/worker.js';
import type { PlannedChange } from '../desired/describe.js';
import type { ObjectKind } from '../desired/objects.js';
import type { Plan } from '../desired/plan.js';

/** The audit records of an applied plan: one for the whole, with its origin, and one for each object. */
export const recordsOf = (
  { digest, summary, changes }: Plan,
  resourcePath: string,
  origin: Record<string, unknown>,
): AuditRecord[] => [
  {
    operationType: 'ACTION',
    resourceType: 'REALM',
    resourcePath,
    representation: { digest, ...summary, ...origin },
  },
  ...changes.map(recordOf),
];

/** The audit record of an object: its state after the change, or for an update only the changed fields. */
function recordOf({ action, kind, path, id, object, fields }: PlannedChange): AuditRecord {
  const record = { operationType: action, resourceType: kind, resourcePath: path, resourceId: id };
  if (action === 'CREATE') return { ...record, representation: object };
  if (action === 'DELETE') return { ...record, before: object };
  return { ...record, representation: nested(fields, 'after'), before: nested(fields, 'before') };
}

/** The fields of a change as an object. */
function nested(fields: PlannedChange['fields'], side: 'before' | 'after'): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    let at = result;
    for (const name of field.path.slice(0, -1)) {
      if (!Object.hasOwn(at, name)) setMember(at, name, {});
      at = at[name] as Record<string, unknown>;
    }
    setMember(at, field.path.at(-1) ?? '', field[side]);
  }
  return result;
}

/** The caches and subscriptions that a kind of objects is in. */
const touchesByKind: Readonly<Record<ObjectKind, (realmId: string, id: string) => string[]>> = {
  REALM: (realm) => [`localization:${realm}`, touchesWebhooks(realm), 'realms'],
  AUTH_FLOW: (realm, id) => [`flows:${realm}`, `flow:${id}`],
  AUTHENTICATOR_CONFIG: (_realm, id) => [`authenticator-config:${id}`],
  REQUIRED_ACTION: (realm) => [`required-actions:${realm}`],
  COMPONENT: (realm) => [`components:${realm}`, `keys:${realm}`],
  IDENTITY_PROVIDER: (realm) => [`identity-providers:${realm}`],
  IDENTITY_PROVIDER_MAPPER: (realm) => [`identity-providers:${realm}`],
  CLIENT_SCOPE: (realm, id) => [`client-scopes:${realm}`, `client-scope:${id}`],
  CLIENT: (realm, id) => [`clients:${realm}`, `client:${id}`],
  REALM_ROLE: (realm) => [`roles:${realm}`],
  CLIENT_ROLE: (realm) => [`roles:${realm}`],
  GROUP: (realm, id) => [`groups:${realm}`, `group:${id}`],
  USER: (realm, id) => [`users:${realm}`, `user:${id}`],
};

/** The caches and subscriptions that a plan changes. */
export const touchesOf = (changes: readonly PlannedChange[], realmId: string): string[] => {
  if (changes.length === 0) return [];
  const keys = changes.flatMap(({ kind, id }) => touchesByKind[kind](realmId, id));
  return [...new Set([`realm:${realmId}`, 'rights', ...keys])];
};
