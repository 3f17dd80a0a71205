import type { CreateManyRow, Db } from '../../database/db.js';
import { ownId } from '../core/own-id.js';
import { invalid, requireEach } from '../core/refusal.js';
import { policyType } from './policy-types.js';
import { referencesIn } from './references.js';
import { policyColumns, requireSubjects, subjectRows } from './rows.js';
import type { Rule } from './rule.js';
import { type PolicyRow, type WholePolicyRow, wholePolicySelect } from './store.js';
import type { Maker } from './write-resource.js';

interface At {
  realmId: string;
  serverId: string;
  /** the user who owns a policy of the type uma */
  ownerId?: string;
}

const idOrName = (wanted: string[]) => [{ id: { in: wanted } }, { name: { in: wanted } }];

type Found = readonly { id: string; name: string }[];

const words = { resources: 'resource', scopes: 'scope', policies: 'policy' };

/** The IDs of objects by IDs and names. Throws `invalid` for every unknown one. */
function idsOf(wanted: string[], found: Found, list: keyof typeof words): string[] {
  const known = new Map(found.flatMap(({ id, name }) => [[name, id] as const, [id, id] as const]));
  requireEach(wanted, [...known.keys()], (place) =>
    invalid(`The ${words[list]} "${wanted[Number(place)]}" does not exist`, `${list}.${place}`),
  );
  return [...new Set(wanted.flatMap((name) => known.get(name) ?? []))];
}

/**
 * The IDs of the objects that a rule refers to; undefined for lists that were not given. One statement for each kind.
 */
async function linksOf(tx: Db, serverId: string, { resources, scopes, associated }: Rule) {
  const where = (wanted: string[]) => ({ resourceServerId: serverId, OR: idOrName(wanted) });
  const select = { id: true, name: true } as const;
  return {
    resources:
      resources &&
      idsOf(
        resources,
        // only resources of the server itself are found by name
        resources.length > 0
          ? await tx.authorizationResource.findMany({
              where: {
                resourceServerId: serverId,
                OR: [{ id: { in: resources } }, { ownerId: serverId, name: { in: resources } }],
              },
              select,
            })
          : [],
        'resources',
      ),
    scopes:
      scopes &&
      idsOf(
        scopes,
        scopes.length > 0 ? await tx.authorizationScope.findMany({ where: where(scopes), select }) : [],
        'scopes',
      ),
    associated:
      associated &&
      idsOf(
        associated,
        associated.length > 0 ? await tx.authorizationPolicy.findMany({ where: where(associated), select }) : [],
        'policies',
      ),
  };
}

type Links = Awaited<ReturnType<typeof linksOf>>;

async function insertLinks(tx: Db, policyId: string, { resources, scopes, associated }: Links): Promise<void> {
  const rows = <T>(ids: string[] | undefined, row: (id: string) => T) => ids?.map(row) ?? [];
  const ofResources = rows(resources, (resourceId) => ({ policyId, resourceId }));
  const ofScopes = rows(scopes, (scopeId) => ({ policyId, scopeId }));
  const uses = rows(associated, (associatedId) => ({ policyId, associatedId }));
  if (ofResources.length > 0) await tx.authorizationPolicyResource.createMany({ data: ofResources });
  if (ofScopes.length > 0) await tx.authorizationPolicyScope.createMany({ data: ofScopes });
  if (uses.length > 0) await tx.authorizationPolicyUse.createMany({ data: uses });
}

async function insertSubjects(tx: Db, rows: CreateManyRow<'AuthorizationPolicySubject'>[]): Promise<void> {
  if (rows.length > 0) await tx.authorizationPolicySubject.createMany({ data: rows });
}

const readPolicy = (tx: Db, id: string): Promise<WholePolicyRow> =>
  tx.authorizationPolicy.findUniqueOrThrow({ where: { id }, select: wholePolicySelect });

/** Creates a policy or permission. */
export async function insertRule(tx: Db, ctx: Maker, at: At, rule: Rule & { name: string }): Promise<WholePolicyRow> {
  requireSubjects(rule);
  const { serverId, realmId, ownerId } = at;
  const id = await ownId(tx, rule.id, ctx.services);
  const links = await linksOf(tx, serverId, rule);
  const resolve = await referencesIn(tx, realmId, rule.subjects ?? []);
  await tx.authorizationPolicy.createMany({
    data: { id, resourceServerId: serverId, ownerId: ownerId ?? null, ...policyColumns(rule, rule.name) },
  });
  await insertSubjects(tx, subjectRows(id, rule.subjects ?? [], resolve));
  await insertLinks(tx, id, links);
  return readPolicy(tx, id);
}

/**
 * Replaces a policy or permission. Links stay if they are not given, but subjects are removed. `bare`: the general form
 * came without its `config`, which only types without subjects allow.
 */
export async function replaceRule(
  tx: Db,
  realmId: string,
  policy: PolicyRow & { resourceServerId?: string },
  rule: Rule,
  bare: boolean,
): Promise<WholePolicyRow> {
  const known = policyType(policy.type);
  if (bare && known?.subjects) throw invalid(`\`config\` is required for a policy of type ${policy.type}`, 'config');
  if (known) requireSubjects(rule);
  const { id } = policy;
  const { resourceServerId } = await tx.authorizationPolicy.findUniqueOrThrow({
    where: { id },
    select: { resourceServerId: true },
  });
  const links = await linksOf(tx, resourceServerId, rule);
  await requireNoCircle(tx, id, links.associated ?? []);
  const resolve = await referencesIn(tx, realmId, rule.subjects ?? []);
  await tx.later.authorizationPolicy.updateMany({
    where: { id },
    data: {
      ...policyColumns(rule, rule.name ?? policy.name, policy.config as Record<string, string>),
      version: { increment: 1 },
    },
  });
  await tx.later.authorizationPolicySubject.deleteMany({ where: { policyId: id } });
  const where = { policyId: id };
  if (links.resources) await tx.later.authorizationPolicyResource.deleteMany({ where });
  if (links.scopes) await tx.later.authorizationPolicyScope.deleteMany({ where });
  if (links.associated) await tx.later.authorizationPolicyUse.deleteMany({ where });
  await insertSubjects(tx, subjectRows(id, rule.subjects ?? [], resolve));
  await insertLinks(tx, id, links);
  return readPolicy(tx, id);
}

/** Refuses a policy that would apply itself, directly or through others. */
async function requireNoCircle(tx: Db, id: string, associated: string[]): Promise<void> {
  if (associated.length === 0) return;
  const below = new Set(associated);
  if (!below.has(id)) {
    const { resourceServerId } = await tx.authorizationPolicy.findUniqueOrThrow({
      where: { id },
      select: { resourceServerId: true },
    });
    const uses = await tx.authorizationPolicyUse.findMany({
      where: { policy: { resourceServerId } },
      select: { policyId: true, associatedId: true },
    });
    const applied = new Map<string, string[]>();
    for (const { policyId, associatedId } of uses)
      applied.set(policyId, [...(applied.get(policyId) ?? []), associatedId]);
    for (const one of below) for (const next of applied.get(one) ?? []) below.add(next);
  }
  if (below.has(id)) throw invalid('A policy must not be associated with itself', 'policies', { code: 'CYCLE' });
}
