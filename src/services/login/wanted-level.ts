import { secondFactors } from '../sessions/used-credentials.js';
import type { Attempt } from './attempt.js';
import { addingActions } from './perform-action.js';

/** A login with the user that it is known to be of. */
type Known = Pick<Attempt, 'flow' | 'user' | 'kept'>;

/** Types of the user's credentials. A device that was set up in this very login has been shown to work, and is left out. */
export const devicesIn = ({ user, kept: { state } }: Known): ReadonlySet<string> =>
  new Set(user?.credentials.map(({ type }) => type).filter((type) => !state.done.includes(`device ${type}`)));

/**
 * Whether the client has a user add a device who has a password and a device, in a flow with levels: who has no more than the password could
 * otherwise reach all levels with a device of their own.
 */
function addsDevice(attempt: Known): boolean {
  const { flow, user, kept } = attempt;
  const { action } = kept.state.request;
  const devices = devicesIn(attempt);
  const hasPassword = devices.has('password') || (user !== undefined && user.federationLink !== null);
  const adds = [...addingActions].some((name) => name === action);
  return flow.levels.size > 0 && adds && hasPassword && [...devices].some((type) => secondFactors.has(type));
}

/** The level of authentication that a login has to reach: the one that the client asks for, and the highest one to add a device. */
export function wantedLevel(attempt: Known): number | undefined {
  const asked = attempt.kept.state.request.level?.level;
  return addsDevice(attempt) ? Math.max(asked ?? 0, ...attempt.flow.levels.keys()) : asked;
}

/** Whether a login by another way than the flow for browsers, such as an identity provider, has to show a device to add one. */
export const lacksDevice = (attempt: Known): boolean => {
  const { path, used = [] } = attempt.kept.state;
  return path !== undefined && addsDevice(attempt) && !used.some((type) => secondFactors.has(type));
};
