import { z } from 'zod';
import type { Db } from '../../database/db.js';
import type { Context } from '../core/context.js';
import { write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import { found, invalid, Refusal } from '../core/refusal.js';
import { decode, text } from '../core/shape.js';
import { encodePolicy, encodeTyped } from './encode.js';
import { altersServer, type PolicyTarget, type ServerTarget } from './locate.js';
import { permissionTypes, policyTypes, subjectLists, typedShapes } from './policy-types.js';
import { PolicyRepresentation } from './representation.js';
import { type Rule, ruleOf, ruleOfTyped, type TypedInput } from './rule.js';
import { touchesServer } from './server.js';
import { forgetPoliciesOf, type WholePolicyRow, wholePolicySelect } from './store.js';
import { nameMissing } from './write-resource.js';
import { insertRule, replaceRule } from './write-rule.js';

const taken = (name: string | undefined): Refusal =>
  new Refusal('conflict', `Policy with name [${name}] already exists`, {
    field: 'name',
    code: 'NAME_TAKEN',
    body: { error: `Policy with name [${name}] already exists`, error_description: 'Conflicting policy' },
  });

const describe = (target: ServerTarget, policy: { id: string; type: string }) => ({
  resourceType: 'AUTHORIZATION_POLICY',
  resourcePath: `${target.path}/${permissionTypes.includes(policy.type) ? 'permission' : 'policy'}/${policy.id}`,
});

/** Refuses scripts: only the server provides them, never callers. */
function refuseScript({ type }: Rule): void {
  if (type === 'js') throw invalid('Scripts cannot be uploaded', 'type');
}

/** A new policy, and its input. */
export interface Created {
  policy: WholePolicyRow;
  given: Record<string, unknown>;
}

async function createFrom(
  tx: Db,
  ctx: Context,
  { realm, server }: ServerTarget,
  rule: Rule,
  given: Record<string, unknown>,
): Promise<Created> {
  if (rule.name === undefined) throw nameMissing('A policy');
  refuseScript(rule);
  const at = { realmId: realm.id, serverId: server.id };
  return { policy: await insertRule(tx, ctx, at, { ...rule, name: rule.name }), given };
}

const created = ({ policy }: Created, target: ServerTarget) => ({
  operationType: 'CREATE' as const,
  ...describe(target, policy),
  representation: encodePolicy(policy),
});

export const createPolicy = write({
  name: 'policy.create',
  summary: 'Creates a policy or permission of any type, with its settings as strings in `config`.',
  input: PolicyRepresentation,
  allow: 'manage:authorization',
  alters: altersServer,
  run: (tx, target: ServerTarget, input, { ctx }): Promise<Created> => {
    if (input.type === undefined) throw nameMissing('A policy without a type');
    return createFrom(tx, ctx, target, ruleOf(input), input);
  },
  refuses: ['NAME_TAKEN'],
  conflict: ({ name }) => taken(name),
  event: created,
  touches: touchesServer,
});

/** The operation that creates a policy or permission of one type, in the form of the type. */
const typedCreate = (type: string, permission: boolean) =>
  write({
    name: `${permission ? 'permission' : 'policy'}.create.${type}`,
    summary: `Creates a ${permission ? 'permission' : 'policy'} of type \`${type}\`.`,
    input: typedShapes.get(type) as NonNullable<ReturnType<(typeof typedShapes)['get']>>,
    allow: permission ? 'manage:permissions' : 'manage:authorization',
    alters: altersServer,
    run: (tx, target: ServerTarget, input, { ctx }): Promise<Created> =>
      createFrom(tx, ctx, target, ruleOfTyped(type, input as TypedInput), input as TypedInput),
    conflict: (input) => taken((input as TypedInput).name),
    event: created,
    touches: touchesServer,
  });

/** The operation that creates a policy, by type. */
export const createOfType = new Map(
  policyTypes.map(({ type, permission = false }) => [type, typedCreate(type, permission)]),
);

/** A policy of any type; the fields of the type are checked when it is known. */
const AnyPolicy = z.looseObject({ name: text.optional(), type: text.optional() });

/** The rule of a policy in the form of its type, whose fields are checked. */
function typedRule(type: string, input: unknown): Rule {
  const shape = typedShapes.get(type);
  if (!shape) throw invalid(`Policy type "${type}" not found`, 'type');
  return ruleOfTyped(type, decode(shape, input) as TypedInput);
}

export const createTypedPolicy = write({
  name: 'policy.createTyped',
  summary: 'Creates a policy or permission of any type, with its settings as fields of its type.',
  input: AnyPolicy,
  allow: 'manage:authorization',
  alters: altersServer,
  run: (tx, target: ServerTarget, input, { ctx }): Promise<Created> => {
    if (input.type === undefined) throw nameMissing('A policy without a type');
    return createFrom(tx, ctx, target, typedRule(input.type, input), input);
  },
  refuses: ['NAME_TAKEN'],
  conflict: ({ name }) => taken(name),
  event: created,
  touches: touchesServer,
});

const updated = (policy: WholePolicyRow, target: PolicyTarget) => ({
  operationType: 'UPDATE' as const,
  ...describe(target, policy),
  representation: encodePolicy(policy),
  before: encodePolicy(target.policy),
});

const lock = ({ policy }: PolicyTarget) => ({ model: 'AuthorizationPolicy' as const, id: policy.id });

const refresh = async (tx: Db, target: PolicyTarget): Promise<PolicyTarget> => {
  const { id } = target.policy;
  const policy = await tx.authorizationPolicy.findUnique({ where: { id }, select: wholePolicySelect });
  return { ...target, policy: found(policy, 'Not found') };
};

const emptyFields = { description: undefined, policies: [], resources: [], scopes: [] };

export const updatePolicy = write({
  name: 'policy.update',
  summary: 'Replaces a policy or permission, with its settings as strings in `config`.',
  input: PolicyRepresentation,
  allow: 'manage:authorization',
  alters: altersServer,
  lock,
  refresh,
  run: (tx, { realm, policy }: PolicyTarget, input): Promise<WholePolicyRow> =>
    replaceRule(tx, realm.id, policy, { ...ruleOf({ ...input, type: policy.type }), name: input.name }, !input.config),
  refuses: ['NAME_TAKEN', 'CYCLE'],
  conflict: ({ name }) => taken(name),
  event: updated,
  touches: touchesServer,
});

export const patchPolicy = patchOf(updatePolicy, {
  current: ({ policy }) => encodePolicy(policy),
  empty: { ...emptyFields, config: {} },
});

/** A policy or permission in the form of its type. */
const typedUpdate = (name: string, allow: 'manage:authorization' | 'manage:permissions') =>
  write({
    name,
    summary: 'Replaces a policy or permission, with its settings as fields of its type.',
    input: AnyPolicy,
    allow,
    alters: altersServer,
    lock,
    refresh,
    run: (tx, { realm, policy }: PolicyTarget, input): Promise<WholePolicyRow> =>
      replaceRule(tx, realm.id, policy, typedRule(policy.type, input), false),
    refuses: ['NAME_TAKEN', 'CYCLE'],
    conflict: ({ name: given }) => taken(given),
    event: updated,
    touches: touchesServer,
  });

export const updateTypedPolicy = typedUpdate('policy.updateTyped', 'manage:authorization');

export const updatePermission = typedUpdate('permission.update', 'manage:permissions');

/** Fields that only some types of policies have. All can be empty as far as the type allows it. */
const ownFields = Object.fromEntries([
  ...policyTypes.flatMap(({ config }) => Object.values(config).map((field) => [field, undefined])),
  ...Object.values(subjectLists).map((field) => [field, []]),
  ['resourceType', undefined],
  // it stays if it is not given
  ['groupsClaim', ''],
]);

const typedForm = {
  current: ({ policy }: PolicyTarget) => encodeTyped(policy),
  empty: { ...emptyFields, ...ownFields },
};

export const patchTypedPolicy = patchOf(updateTypedPolicy, typedForm);

export const patchPermission = patchOf(updatePermission, typedForm);

export const removePolicy = write({
  name: 'policy.delete',
  summary: 'Deletes a policy or permission, and the policies that have no other associated policy.',
  allow: 'manage:authorization',
  alters: altersServer,
  lock: ({ policy }: PolicyTarget) => ({ model: 'AuthorizationPolicy', id: policy.id }),
  run: async (tx, { policy }: PolicyTarget): Promise<WholePolicyRow> => {
    await forgetPoliciesOf(tx, 'policy', [policy.id]);
    await tx.later.authorizationPolicy.deleteMany({ where: { id: policy.id } });
    return policy;
  },
  event: (policy, target) => ({
    operationType: 'DELETE',
    ...describe(target, policy),
    before: encodePolicy(policy),
  }),
  touches: touchesServer,
});
