import { inTurns } from '../../../database/turns.js';
import type { Context } from '../../core/context.js';
import { members, textsOf } from '../../core/json.js';
import { read } from '../../core/operation.js';
import { invalid } from '../../core/refusal.js';
import { flag, type Input, json, list, representation, text, texts } from '../../core/shape.js';
import { exampleClaims, examplePlan } from '../../evaluate-scopes/example.js';
import { tokenClient } from '../../evaluate-scopes/operations.js';
import type { Claims } from '../../tokens/claims.js';
import { scopeNames, scopeText } from '../../tokens/scopes.js';
import type { ServerTarget } from '../locate.js';
import { ownerIdOf } from '../protection/bearer.js';
import { ResourceRepresentation, sentId } from '../representation.js';
import { collectTargets } from './collect-targets.js';
import { PolicyEvaluator } from './decide.js';
import { encodeResult } from './encode.js';
import { evaluate, grantedPermissions, type Result, type Wanted } from './evaluate.js';
import { groupPaths, keysOfName, needsClaims, roleKeys } from './identity.js';
import { evaluateInLine } from './in-line.js';
import { loadPolicies, loadResources, loadScopes } from './store.js';

/** PolicyEvaluationRequest of the contract: a hypothetical user, client, and request. */
const PolicyEvaluationRequest = representation('PolicyEvaluationRequest', {
  context: json,
  resources: list(ResourceRepresentation),
  clientId: text,
  userId: text,
  roleIds: texts,
  entitlements: flag,
});

/** The results of an evaluation, with the claims of the resulting token. */
export interface Evaluation {
  results: Result[];
  claims: Claims;
}

export const evaluatePolicies = read({
  name: 'policy.evaluate',
  summary: 'Evaluates the policies of a resource server for a user and returns the decisions and the resulting token.',
  input: PolicyEvaluationRequest,
  hasLongLists: true,
  allow: 'view:authorization',
  // the resulting token contains data of the user
  check: (permit) => permit.require('view:users'),
  run: async (ctx, target: ServerTarget, input): Promise<Evaluation> => {
    const { realm, server, client } = target;
    if (input.userId === undefined) throw invalid('`userId` is required', 'userId');
    const asking = input.clientId ?? server.id;
    const { userId } = input;
    const planFor = (client: string) => examplePlan(ctx, realm, () => tokenClient(ctx, client), undefined, userId);
    const plan = await planFor(asking);
    const { iss: _, ...claims } = await exampleClaims(ctx, plan);
    if (input.roleIds?.length) {
      const roles = new Set([...textsOf(members(claims.realm_access).roles), ...input.roleIds]);
      claims.realm_access = { roles: [...roles] };
    }
    const named = namedResources(input);
    const evaluated = async (): Promise<Evaluation> => {
      const requested = await (named.length > 0
        ? requestedPermissions(ctx, server.id, named)
        : everything(ctx, server.id));
      const policies = await loadPolicies(ctx.db, server.id, collectTargets(requested));
      const rules = {
        serverId: server.id,
        mode: server.policyEnforcementMode,
        strategy: server.decisionStrategy,
        grants: new Map(),
      };
      const identity = {
        userId: plan.user.id,
        ownerId: ownerIdOf(plan.user, server),
        clientId: plan.client.id,
        claims:
          asking !== server.id && needsClaims(policies) ? await exampleClaims(ctx, await planFor(server.id)) : claims,
        scopes: scopeNames(scopeText(plan.scope)),
        roles: new Set([...roleKeys(plan.roles), ...(input.roleIds ?? []).flatMap(keysOfName)]),
        groups: await groupPaths(ctx.db, plan.user.id),
        now: ctx.services.now(),
      };
      const evaluator = new PolicyEvaluator(identity, policies);
      const results = await evaluate(requested, rules, evaluator);
      const permissions = grantedPermissions(results);
      return { results, claims: { ...claims, aud: client.clientId, authorization: { permissions } } };
    };
    return named.length > 0 ? evaluated() : evaluateInLine(evaluated, realm.id, ctx.caller.userId);
  },
});

/** The requested resources, by ID, type, or scopes. */
const namedResources = ({ resources = [] }: Input<typeof PolicyEvaluationRequest>) =>
  resources
    .map((one) => ({ ...one, _id: sentId(one) }))
    .filter(({ _id, type, scopes }) => _id || type || scopes?.length);

/** All resources. */
async function everything(ctx: Context, serverId: string): Promise<Wanted[]> {
  const all = await loadResources(ctx.db, serverId, {});
  return all.map((resource) => ({ resource, scopes: resource.scopes }));
}

/** The requested resources, by ID or type, or by scopes of any resource. */
async function requestedPermissions(
  ctx: Context,
  serverId: string,
  named: ReturnType<typeof namedResources>,
): Promise<Wanted[]> {
  const wantedNames = (one: (typeof named)[number]) => (one.scopes ?? []).flatMap(({ name }) => name ?? []);
  const scopes = await loadScopes(ctx.db, serverId, named.flatMap(wantedNames));
  const found = await loadResources(ctx.db, serverId, {
    OR: [
      { id: { in: named.flatMap(({ _id }) => _id ?? []) } },
      { type: { in: named.flatMap(({ _id, type }) => (_id ? [] : (type ?? []))) } },
      {
        scopes: {
          some: { scope: { name: { in: named.flatMap((one) => (one._id || one.type ? [] : wantedNames(one))) } } },
        },
      },
    ],
  });
  return named.flatMap((one): Wanted[] => {
    const names = wantedNames(one);
    const own = scopes.filter(({ name }) => names.includes(name));
    const fits = found.filter((resource) => {
      if (one._id) return resource.id === one._id;
      return one.type ? resource.type === one.type : resource.scopes.some(({ name }) => names.includes(name));
    });
    if (one._id && fits.length === 0) throw invalid(`Resource ${one._id} not found`, 'resources');
    if (fits.length === 0) return own.length > 0 ? [{ resource: undefined, scopes: own }] : [];
    return fits.map((resource) => ({ resource, scopes: names.length > 0 ? own : resource.scopes }));
  });
}

/** PolicyEvaluationResponse of the contract, as JSON. */
export async function encodeEvaluation({ results, claims }: Evaluation): Promise<string> {
  const texts = await inTurns(results, (one) => JSON.stringify(encodeResult(one)));
  const status = results.some(({ permit }) => !permit) ? 'DENY' : 'PERMIT';
  return `{"results":[${texts.join(',')}],${JSON.stringify({ entitlements: false, status, rpt: claims }).slice(1)}`;
}
