import type { Db } from '../../database/db.js';
import type { ClientInput } from '../clients/representation.js';
import { registrationPolicyType } from '../realms/defaults/components.js';
import { notAllowed } from './faults.js';
import { type Asked, type PolicyRule, policyRules, type Settings } from './policy-rules.js';
import type { PolicySet } from './registration-token.js';

/** A policy of a realm with its parsed settings. */
export interface Policy {
  name: string;
  rule: PolicyRule;
  settings: Settings;
}

/** The policies of a realm for clients that come with or without a token, in a fixed order: one statement. */
export async function policiesOf(db: Db, realmId: string, subType: PolicySet): Promise<Policy[]> {
  const rows = await db.component.findMany({
    where: { realmId, providerType: registrationPolicyType, subType },
    select: { name: true, providerId: true, config: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return rows.flatMap(({ name, providerId, config }) => {
    const rule = policyRules.get(providerId);
    return rule ? [{ name: name ?? providerId, rule, settings: config as Settings }] : [];
  });
}

/** Refuses (403) a request that one of the policies does not allow. */
export async function requireAllowed(policies: readonly Policy[], asked: Asked): Promise<void> {
  for (const { name, rule, settings } of policies) {
    const objection = await rule.objection?.(asked, settings);
    if (!objection) continue;
    throw notAllowed(`Policy '${name}' rejected request to client-registration service. Details: ${objection}`);
  }
}

/** A new client with the values that the policies impose. */
export const withImposed = (policies: readonly Policy[], client: ClientInput): ClientInput =>
  Object.assign({}, client, ...policies.map(({ rule }) => rule.imposes ?? {}));

/** The types of protocol mappers that new clients keep; undefined if all are kept. */
export function keptMapperTypes(policies: readonly Policy[]): readonly string[] | undefined {
  const lists = policies.flatMap(({ rule, settings }) => (rule.mapperTypes ? [rule.mapperTypes(settings)] : []));
  const [first, ...others] = lists;
  return first?.filter((type) => others.every((list) => list.includes(type)));
}
