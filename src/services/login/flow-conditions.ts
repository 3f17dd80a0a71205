import { members } from '../core/json.js';
import { activeIn, type BoundFlow, type Execution, levelOf } from './bound-flow.js';
import { byCredential, byLevel, deviceSteps, organizationSteps } from './flow-steps.js';

/** What is known of the user on the way through a flow. */
export interface Progress {
  /** ids of the executions that were passed */
  done: ReadonlySet<string>;
  /** whether the user comes with a session that may be used */
  bySession: boolean;
  hasUser: boolean;
  /** whether a password, a session, the link of a mail or the registration has shown who the user is */
  isProven: boolean;
  /** types of the user's credentials besides passwords: `otp`, `webauthn`, and `webauthn-passwordless` */
  devices: ReadonlySet<string>;
  /** whether the user has followed the link of a mail, and so has the address */
  byMail?: boolean;
  /** ids of the alternatives that were tried and do not apply */
  tried?: ReadonlySet<string>;
  /** types of the credentials that the user has logged in with */
  used?: ReadonlySet<string>;
  /** alias of the identity provider that the client asks for */
  providerHint?: string | undefined;
  /** names of the user's roles, those of clients with the clientId and a dot before them */
  roles?: ReadonlySet<string>;
  /** The first value of an attribute of the user. */
  attribute?: (name: string) => string | undefined;
  /** level of authentication that the client asks for */
  demandedLevel?: number | undefined;
  /** levels of authentication that the session has reached, with the seconds since then */
  levelAges?: ReadonlyMap<number, number>;
}

/** A flow that is followed, with what is known of the login. */
export interface Way {
  flow: BoundFlow;
  progress: Progress;
  /** the level of authentication so far: -1 for none */
  level: number;
}

interface Unsupported {
  kind: 'unsupported';
  step: string;
}

const byDevices = 'conditional-user-configured';

/** Whether a step is a condition of the sub-flow that it is in. */
export const isCondition = (authenticator: string | null): boolean =>
  authenticator?.startsWith('conditional-') ?? false;

/** The highest level of the session that is not too old for the flow; -1 for none. */
export const sessionLevel = ({ levels }: BoundFlow, progress: Progress): number =>
  progress.bySession ? Math.max(-1, ...[...levels.keys()].filter((level) => isFresh(levels, progress, level))) : -1;

const isFresh = (levels: BoundFlow['levels'], { levelAges }: Progress, level: number): boolean =>
  (levelAges?.get(level) ?? Number.POSITIVE_INFINITY) < (levels.get(level) ?? 0);

function hasRole(progress: Progress, { config }: Execution): boolean {
  const { condUserRole, negate } = members(config?.config);
  if (!progress.hasUser || typeof condUserRole !== 'string') return false;
  return (progress.roles?.has(condUserRole) ?? false) !== (negate === 'true');
}

/** Whether the user has logged in with one of some credentials (`included`), or with none of them. Their types are separated by `##`. */
function isMetByCredentials({ used }: Progress, { config }: Execution): boolean {
  const { credentials = '', included } = members(config?.config);
  const isUsed = String(credentials)
    .split('##')
    .some((type) => used?.has(type));
  return isUsed === (included === 'true');
}

/** The conditions that ask for one thing of the user; the one for devices looks at the steps beside it. */
const conditionChecks: ReadonlyMap<string, (walk: Way, condition: Execution) => boolean> = new Map([
  ['conditional-user-role', ({ progress }: Way, condition: Execution) => hasRole(progress, condition)],
  [byCredential, ({ progress }: Way, condition: Execution) => isMetByCredentials(progress, condition)],
  [byLevel, isLevelOpen],
]);

/** Settings of the conditional form for one-time codes that are regular expressions for headers of the request. */
const headerSettings = ['noOtpRequiredForHeaderPattern', 'forceOtpForHeaderPattern'];

/**
 * Whether a conditional form asks for a one-time code: by the user's attribute, by roles, or else by its default. Undefined for one that looks at
 * headers of the request, which senders choose.
 */
export function asksForCode({ roles, attribute }: Progress, { config }: Execution): boolean | undefined {
  const settings = members(config?.config);
  if (headerSettings.some((name) => settings[name])) return undefined;
  const { otpControlAttribute, skipOtpRole, forceOtpRole, defaultOtpOutcome } = settings;
  const own = typeof otpControlAttribute === 'string' ? attribute?.(otpControlAttribute) : undefined;
  if (own === 'skip' || own === 'force') return own === 'force';
  const has = (role: unknown) => typeof role === 'string' && (roles?.has(role) ?? false);
  if (has(skipOtpRole)) return false;
  return has(forceOtpRole) || defaultOtpOutcome !== 'skip';
}

/** The levels of authentication that a conditional sub-flow leads to. */
export const levelsReachedBy = ({ flow: { byId } }: Way, { subflowId }: Execution): number[] =>
  activeIn(byId.get(subflowId ?? ''))
    .filter(({ authenticator }) => authenticator === byLevel)
    .map(levelOf);

/** Whether a level is still to be reached: any for a user who has none yet, and those that the client asks for. */
function isLevelOpen({ flow: { levels }, progress, level: reached }: Way, execution: Execution): boolean {
  const level = levelOf(execution);
  if (reached < 0) return true;
  return level <= (progress.demandedLevel ?? -1) && !(progress.bySession && isFresh(levels, progress, level));
}

/** Whether a conditional sub-flow is for this user; one without a condition is for nobody. */
export function conditionOf(walk: Way, execution: Execution): boolean | Unsupported {
  const { progress } = walk;
  const active = activeIn(walk.flow.byId.get(execution.subflowId ?? ''));
  const asked = active.filter(({ authenticator }) => isCondition(authenticator));
  if (asked.length === 0) return false;
  const isKnown = (name: string) => name === byDevices || conditionChecks.has(name);
  const unknown = asked.find(({ authenticator }) => !isKnown(authenticator ?? ''));
  if (unknown) return { kind: 'unsupported', step: unknown.authenticator ?? '' };
  const isMet = (condition: Execution) => conditionChecks.get(condition.authenticator ?? '')?.(walk, condition) ?? true;
  if (!asked.every(isMet)) return false;
  if (!asked.some(({ authenticator }) => authenticator === byDevices)) return true;
  const steps = active.filter(({ authenticator, subflowId }) => !isCondition(authenticator) && subflowId === null);
  const configured = ({ authenticator }: Execution) => {
    const step = authenticator ?? '';
    const device = deviceSteps.get(step);
    const isForUser = device === undefined || progress.devices.has(device.type);
    return progress.hasUser && !organizationSteps.has(step) && isForUser;
  };
  const needed = steps.filter(({ requirement }) => requirement === 'REQUIRED');
  return needed.length > 0 ? needed.every(configured) : steps.some(configured);
}
