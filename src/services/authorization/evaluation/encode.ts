import type { PermissionResult, Result } from './evaluate.js';
import type { EvaluatedPolicy } from './store.js';

const status = (permit: boolean) => (permit ? 'PERMIT' : 'DENY');

/** The scopes of a permission; if it names none, the scopes of its resources. */
function scopesOf(policy: EvaluatedPolicy): string[] {
  const own = policy.scopes.map(({ scope }) => scope.name);
  if (own.length > 0 || policy.type !== 'resource') return own;
  return [...new Set(policy.resources.flatMap(({ resource }) => resource.scopes.map(({ scope }) => scope.name)))];
}

const encodePolicy = (policy: EvaluatedPolicy) => ({
  id: policy.id,
  name: policy.name,
  ...(policy.description !== null && { description: policy.description }),
  type: policy.type,
  resources: policy.resources.map(({ resource }) => resource.name),
  scopes: scopesOf(policy),
  logic: 'POSITIVE',
  decisionStrategy: policy.decisionStrategy,
  config: {},
});

const encodePermission = ({ policy, decisions, permit }: PermissionResult) => ({
  policy: encodePolicy(policy),
  status: status(permit),
  associatedPolicies: decisions.map((decision) => ({
    policy: encodePolicy(decision.policy),
    status: status(decision.permit),
    associatedPolicies: [],
    scopes: [],
  })),
  scopes: permit || policy.type === 'resource' ? [] : scopesOf(policy),
});

/** EvaluationResultRepresentation of the contract. */
export function encodeResult({ wanted: { resource, scopes }, permissions, permit, granted }: Result) {
  const shown = permit && scopes.length > 0 ? granted : scopes;
  const names = `[${shown.map(({ name }) => name).join(', ')}]`;
  return {
    resource: {
      ...(resource && { _id: resource.id }),
      name: resource
        ? `${resource.name}${shown.length > 0 ? ` with scopes ${names}` : ''}`
        : `Any Resource with Scopes ${names}`,
    },
    scopes: shown,
    policies: permissions.map(encodePermission),
    status: status(permit),
    allowedScopes: permit ? granted : [],
  };
}
