import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { members, numberOf } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import {
  type BrokerFlowPurpose,
  byLevel,
  byPasskey,
  conditionalOtp,
  type FlowPurpose,
  formSteps,
} from './flow-steps.js';

const flowSelect = {
  id: true,
  alias: true,
  executions: {
    orderBy: [{ priority: 'asc' }, { id: 'asc' }],
    select: {
      id: true,
      authenticator: true,
      subflowId: true,
      requirement: true,
      config: { select: { config: true } },
    },
  },
} as const satisfies Prisma.AuthenticationFlowSelect;

/** A flow with its executions. */
export type Flow = Prisma.AuthenticationFlowGetPayload<{ select: typeof flowSelect }>;
/** A step of a flow, or a sub-flow in its place. */
export type Execution = Flow['executions'][number];

/** The flow that a login follows, with all that it may lead to. */
export interface BoundFlow {
  top: Flow | undefined;
  byId: ReadonlyMap<string, Flow>;
  /** the steps that take what somebody typed or sent */
  forms: ReadonlySet<string>;
  /** whether a step asks for the roles of the user */
  asksRoles: boolean;
  /** ID of the step by which users log in with a passkey in place of the forms, where the flow has it as an alternative to them */
  passkeyStep: string | undefined;
  /** the levels of authentication that its conditions name, with the seconds for which a login of each is enough */
  levels: ReadonlyMap<number, number>;
}

/** How realms and clients name the flow for a purpose. */
export const bindings = {
  browser: { setting: 'browserFlow', standard: 'browser', override: 'browser' },
  direct: { setting: 'directGrantFlow', standard: 'direct grant', override: 'direct_grant' },
  docker: { setting: 'dockerAuthenticationFlow', standard: 'docker auth', override: undefined },
  reset: { setting: 'resetCredentialsFlow', standard: 'reset credentials', override: undefined },
  registration: { setting: 'registrationFlow', standard: 'registration', override: undefined },
} as const satisfies Record<FlowPurpose, { setting: string; standard: string; override: string | undefined }>;

/** The flow that the realm has for a purpose, or the one that the client has instead: one statement. */
export async function boundFlow(
  db: Db,
  realm: Pick<RealmRecord, 'id' | 'settings'>,
  overrides: unknown,
  purpose: FlowPurpose,
): Promise<BoundFlow> {
  const flows = await flowsOfRealm(db, realm.id);
  return flowAmong(flows, realm.settings, overrides, purpose);
}

/** The flow of a realm that an identity provider names: one statement. */
export async function namedFlow(
  db: Db,
  realm: Pick<RealmRecord, 'id'>,
  alias: string,
  purpose: BrokerFlowPurpose,
): Promise<BoundFlow> {
  const flows = await flowsOfRealm(db, realm.id);
  return flowNamed(flows, alias, purpose);
}

/** All flows of a realm: one statement. */
export const flowsOfRealm = (db: Db, realmId: string): Promise<Flow[]> =>
  db.authenticationFlow.findMany({ where: { realmId }, select: flowSelect });

/** The flow that an identity provider names among all flows of a realm. */
export const flowNamed = (flows: readonly Flow[], alias: string, purpose: BrokerFlowPurpose): BoundFlow =>
  flowFrom(
    flows,
    flows.find((flow) => flow.alias === alias),
    purpose,
  );

/** The flow for a purpose among all flows of a realm with these settings. */
export function flowAmong(
  flows: readonly Flow[],
  settings: Record<string, unknown>,
  overrides: unknown,
  purpose: FlowPurpose,
): BoundFlow {
  const { setting, standard, override } = bindings[purpose];
  const own = override && members(overrides)[override];
  const bound = settings[setting] ?? standard;
  const top = flows.find(({ id, alias }) => (typeof own === 'string' && own !== '' ? id === own : alias === bound));
  return flowFrom(flows, top, purpose);
}

/** Steps whose settings name roles. */
const roleSteps: ReadonlySet<string> = new Set(['conditional-user-role', conditionalOtp]);

/** A flow with what it may lead to among all flows of a realm. */
export function flowFrom(
  flows: readonly Flow[],
  top: Flow | undefined,
  purpose: FlowPurpose | BrokerFlowPurpose,
): BoundFlow {
  const byId = new Map(flows.map((flow) => [flow.id, flow]));
  const steps = flows.flatMap(({ executions }) => executions);
  const asksRoles = steps.some(({ authenticator }) => roleSteps.has(authenticator ?? ''));
  const forms = formSteps[purpose];
  return { top, byId, forms, asksRoles, passkeyStep: passkeyStepOf(top, forms), levels: levelsOf(top, byId) };
}

/** The executions of a flow that are not disabled; none where there is no flow. */
export const activeIn = (flow: Flow | undefined): Execution[] =>
  flow?.executions.filter(({ requirement }) => requirement !== 'DISABLED') ?? [];

function passkeyStepOf(top: Flow | undefined, forms: ReadonlySet<string>): string | undefined {
  const active = activeIn(top);
  const areAlternatives = forms.has(byPasskey) && active.every(({ requirement }) => requirement === 'ALTERNATIVE');
  return areAlternatives ? active.find(({ authenticator }) => authenticator === byPasskey)?.id : undefined;
}

/** The level that a condition names (`loa-condition-level`). */
export const levelOf = ({ config }: Pick<Execution, 'config'>): number =>
  numberOf(members(config?.config), 'loa-condition-level', 0);

const standardMaxAge = 36_000;

function levelsOf(top: Flow | undefined, byId: ReadonlyMap<string, Flow>): Map<number, number> {
  const levels = new Map<number, number>();
  const seen = new Set(top ? [top] : []);
  // a set goes on with what is added while it is gone through
  for (const flow of seen) {
    for (const execution of activeIn(flow)) {
      const below = byId.get(execution.subflowId ?? '');
      if (below) seen.add(below);
      if (execution.authenticator !== byLevel) continue;
      levels.set(levelOf(execution), numberOf(members(execution.config?.config), 'loa-max-age', standardMaxAge));
    }
  }
  return levels;
}
