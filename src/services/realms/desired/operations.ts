import type { ModelName } from '../../../database/db.js';
import { requireWhole } from '../../core/entitlement.js';
import { isWhole } from '../../core/held-rights.js';
import { setMember } from '../../core/json.js';
import { type AuditRecord, read, write } from '../../core/operation.js';
import type { Permit } from '../../core/ports.js';
import { refreshRealm } from '../../core/realm.js';
import { invalid, Refusal } from '../../core/refusal.js';
import type { Target } from '../../core/target.js';
import { noteGrantable } from '../../user-storage/grantable.js';
import { touchesWebhooks } from '../../webhooks/worker.js';
import { requireViewable } from '../export/whole.js';
import { isEmptyDelta } from './delta.js';
import type { PlannedChange } from './describe.js';
import { type ObjectKind, wholes } from './objects.js';
import { hashPasswordsOf, type PasswordHashes, type Plan, planOf, type WholePlan } from './plan.js';
import { desiredOf, RealmPlanInput } from './representation.js';
import { writeDelta } from './write.js';

/** A plan without the rows that it would write. */
const shown = ({ digest, summary, changes, warnings }: WholePlan): Plan => ({ digest, summary, changes, warnings });

export const plan = read({
  name: 'realm.plan',
  summary:
    'Returns what a file would change in a realm. Secrets of the file are compared only for administrators with all permissions of the realm.',
  input: RealmPlanInput,
  allow: 'view:realm',
  check: (permit: Permit, _target: Target, { desired }) =>
    requireViewable(permit, { users: desired?.users !== undefined }),
  run: async (ctx, { realm }, input, permit): Promise<Plan> =>
    shown(await planOf(ctx, ctx.db, realm, desiredOf(input), { comparesSecrets: isWhole(realm, permit.rights) })),
});

/** What was changed by a file. */
export interface Applied extends Plan {
  realmId: string;
}

/** Refuses to delete more objects than the caller expects. */
function requireAllowed({ summary }: Plan, allowed: number): void {
  if (summary.delete <= allowed) return;
  throw invalid(`The file would delete ${summary.delete} objects, and \`allowDeletes\` is ${allowed}`, 'allowDeletes');
}

function requireDigest({ digest }: Plan, expected: string | undefined): void {
  if (expected === undefined || expected === digest) return;
  throw new Refusal('stale', 'The realm or the file was changed since the plan was made: make a new plan', {
    field: 'expectedDigest',
  });
}

/** The objects of a plan whose parts change, by their models. */
function touchedObjects(changes: readonly PlannedChange[]): Map<ModelName, Set<string>> {
  const models = new Map<ObjectKind, ModelName>(
    (Object.keys(wholes) as ModelName[]).flatMap((model) => (model === 'Role' ? [] : [[kindOf(model), model]])),
  );
  const touched = new Map<ModelName, Set<string>>();
  for (const { action, kind, id } of changes) {
    const model = models.get(kind) ?? 'Role';
    if (action === 'UPDATE') touched.set(model, (touched.get(model) ?? new Set()).add(id));
  }
  return touched;
}

const kindOf = (model: ModelName): ObjectKind => wholes[model]?.kind({}) ?? 'REALM';

export const apply = write({
  name: 'realm.apply',
  summary:
    'Changes a realm so that it is as a file describes it: all of it or nothing. Refused if the plan is no longer the expected one, or if more is deleted than allowed.',
  input: RealmPlanInput,
  allow: 'manage:realm',
  takesRights: true,
  keepsAdministrator: true,
  check: (permit: Permit, target: Target) => requireWhole(target, permit),
  prepare: (_ctx, { realm }: Target, input): Promise<PasswordHashes> => hashPasswordsOf(realm, desiredOf(input).file),
  lock: ({ realm }: Target) => ({ model: 'Realm', id: realm.id }),
  refresh: refreshRealm,
  run: async (tx, { realm }, input, { ctx, prepared }): Promise<Applied> => {
    const whole = await planOf(ctx, tx, realm, desiredOf(input), { hashes: prepared, comparesSecrets: true });
    requireDigest(whole, input.expectedDigest);
    requireAllowed(whole, input.allowDeletes ?? 0);
    if (!isEmptyDelta(whole.delta)) {
      const touched = touchedObjects(whole.changes).set('Realm', new Set([realm.id]));
      await writeDelta(tx, whole.delta, { seal: ctx.services.sealer.seal, touched });
      if (whole.delta.has('Component')) await noteGrantable(tx, realm.id);
    }
    return { ...shown(whole), realmId: realm.id };
  },
  refuses: ['ADMINISTRATION', 'CYCLE', 'NAME_TAKEN', 'REPEATED', 'EMAIL_INVALID', 'USERNAME_INVALID'],
  conflict: () => 'An object with this name was created in the meantime, or two objects change names: plan again',
  event: ({ changes, summary, digest }, _target, { source, revision }) =>
    changes.length === 0
      ? []
      : [
          {
            operationType: 'ACTION',
            resourceType: 'REALM',
            resourcePath: 'apply',
            representation: { digest, ...summary, source, revision },
          },
          ...changes.map(recordOf),
        ],
  touches: ({ changes }, { realm }) => touchesOf(changes, realm.id),
});

/** The audit record of an object: what it is after the change, and of an update only what changed. */
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

const touchesOf = (changes: readonly PlannedChange[], realmId: string): string[] => {
  if (changes.length === 0) return [];
  const keys = changes.flatMap(({ kind, id }) => touchesByKind[kind](realmId, id));
  return [...new Set([`realm:${realmId}`, 'rights', ...keys])];
};
