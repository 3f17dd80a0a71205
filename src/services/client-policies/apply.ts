import { members } from '../core/json.js';
import { Refusal, type RefusalDetails } from '../core/refusal.js';
import { conditions, type Occasion } from './conditions.js';
import { policiesOf, profilesOf } from './documents.js';
import {
  type AnswerDemand,
  type ClientRequest,
  type ClientWrite,
  isOn,
  type Objection,
  type Proposed,
} from './executor.js';
import { executors } from './executors.js';
import { globalProfiles } from './global-profiles.js';
import type { ClientPolicy } from './representation.js';

interface Realm {
  settings: unknown;
}

/** What a policy has an executor do. */
export interface Demand {
  executor: string | undefined;
  configuration: Readonly<Record<string, unknown>>;
}

/** Whether a policy applies: one of its conditions at least has a say, and none says no. */
async function applies({ conditions: listed = [] }: ClientPolicy, occasion: Occasion): Promise<boolean> {
  let isMet = false;
  for (const { condition = '', configuration } of listed) {
    const settings = members(configuration);
    const holds = await conditions.get(condition)?.(occasion, settings);
    if (holds === undefined) continue;
    if (holds === isOn(settings, 'is-negative-logic')) return false;
    isMet = true;
  }
  return isMet;
}

/** What the policies of the realm demand on an occasion, in the order of the policies and their profiles. */
export async function demandsOf(realm: Realm, occasion: Occasion): Promise<readonly Demand[]> {
  const enabled = policiesOf(realm).filter((policy) => policy.enabled === true);
  if (enabled.length === 0) return [];
  const profiles = new Map([...globalProfiles, ...profilesOf(realm)].map((profile) => [profile.name, profile]));
  const demands: Demand[] = [];
  for (const policy of enabled) {
    if (!(await applies(policy, occasion))) continue;
    for (const name of policy.profiles ?? []) {
      for (const { executor, configuration } of profiles.get(name)?.executors ?? []) {
        demands.push({ executor, configuration: members(configuration) });
      }
    }
  }
  return demands;
}

/** Whether the realm has policies that are in force. */
export const hasPolicies = (realm: Realm): boolean => policiesOf(realm).some(({ enabled }) => enabled === true);

const refusal = ({ error, text }: Objection, details: RefusalDetails = {}): Refusal =>
  new Refusal('invalid', text, { ...details, body: { error, error_description: text } });

/**
 * A client as the policies of its realm demand it: what they set by themselves is set. Throws `invalid`, with the body of
 * OAuth, when the client does not conform; of an update only what it names is looked at.
 */
export function conforming<C extends Proposed>(demands: readonly Demand[], write: { isNew: boolean; proposed: C }): C {
  let { proposed } = write;
  for (const { executor = '', configuration } of demands) {
    const { configure, check } = executors.get(executor) ?? {};
    const current = (): ClientWrite => ({ isNew: write.isNew, proposed });
    proposed = { ...proposed, ...configure?.(current(), configuration) };
    const objection = check?.(current(), configuration);
    if (objection) throw refusal(objection);
  }
  return proposed;
}

/** Why demands of policies refuse a request of a client; nothing where they do not. */
export function objectionTo(demands: readonly Demand[], request: ClientRequest): Objection | undefined {
  for (const { executor = '', configuration } of demands) {
    const objection = executors.get(executor)?.request?.(request, configuration);
    if (objection) return objection;
  }
  return undefined;
}

/** The strictest demands that policies have on an answer. */
export function answerUnder(demands: readonly Demand[]): AnswerDemand {
  const found = demands.map(({ executor = '', configuration }) => executors.get(executor)?.answer?.(configuration));
  const lifespans = found.flatMap((one) => one?.codeLifespan ?? []);
  return {
    ...(lifespans.length > 0 && { codeLifespan: Math.min(...lifespans) }),
    ...(found.some((one) => one?.namesIssuer) && { namesIssuer: true }),
    ...(found.some((one) => one?.lightweightTokens) && { lightweightTokens: true }),
  };
}
