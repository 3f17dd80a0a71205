import type { Db } from '../../database/db.js';
import { agree, PolicyEvaluator } from '../authorization/evaluation/decide.js';
import { groupPaths, type Identity, roleKey } from '../authorization/evaluation/identity.js';
import { type EvaluatedPolicy, loadPolicies } from '../authorization/evaluation/store.js';
import { resourceName } from './kinds.js';
import { administrationClient } from './server.js';
import { heldRoles } from './store.js';

/** The scope of the permission to exchange tokens for tokens of a client. */
const exchangeScope = 'token-exchange';

/** A client that exchanges tokens, with the user of its service account. */
interface Exchanging {
  id: string;
  clientId: string;
  serviceAccount: { id: string } | null;
}

/**
 * Whether the fine-grained permissions of a client (`target`) let another client exchange tokens for its own. Policies
 * see the requesting client, and its service account with roles and groups. Without a policy no client may. `now` is in
 * milliseconds since 1970.
 */
export async function mayExchange(
  db: Db,
  realmId: string,
  client: Exchanging,
  target: { id: string },
  now: number,
): Promise<boolean> {
  const realm = await db.realm.findUniqueOrThrow({
    where: { id: realmId },
    select: { id: true, name: true, adminClientId: true },
  });
  const resource = await db.authorizationResource.findFirst({
    where: {
      name: resourceName({ kind: 'client', id: target.id }),
      resourceServer: { client: administrationClient(realm) },
    },
    select: { id: true, type: true, resourceServerId: true },
  });
  if (!resource) return false;
  const { id, type, resourceServerId } = resource;
  const concerned = { resourceIds: [id], types: type === null ? [] : [type], scopeIds: [] };
  const policies = await loadPolicies(db, resourceServerId, concerned);
  const deciding = [...policies.values()].filter((policy) => decides(policy, resource));
  if (deciding.length === 0) return false;
  const evaluator = new PolicyEvaluator(await identityOf(db, client, now), policies);
  return deciding.every((permission) => {
    const decisions = evaluator.decisionsOf(permission);
    return decisions.length > 0 && agree(permission.decisionStrategy, decisions);
  });
}

/** Whether a permission decides about token exchange for the client with this resource. */
function decides(
  { type, resourceType, resources, scopes }: EvaluatedPolicy,
  resource: { id: string; type: string | null },
): boolean {
  if (type !== 'scope' && type !== 'resource') return false;
  const isAbout =
    resources.some((one) => one.resource.id === resource.id) || (resourceType ?? '') === (resource.type ?? ' ');
  return isAbout && (scopes.length === 0 || scopes.some(({ scope }) => scope.name === exchangeScope));
}

async function identityOf(db: Db, { id, clientId, serviceAccount }: Exchanging, now: number): Promise<Identity> {
  const userId = serviceAccount?.id ?? '';
  const held = serviceAccount ? await heldRoles(db, userId) : [];
  return {
    userId,
    clientId: id,
    claims: { azp: clientId, ...(serviceAccount && { sub: userId }) },
    roles: new Set(held.map(({ client, name }) => roleKey(client, name))),
    groups: serviceAccount ? await groupPaths(db, userId) : [],
    now,
  };
}
