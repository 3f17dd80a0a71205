import type { BoundFlow } from './bound-flow.js';
import { followFlow } from './flow.js';
import { missingStep, shownForm } from './registration.js';

/** More steps than a login has. */
const mostSteps = 30;

const noDevices: ReadonlySet<string> = new Set();
const allDevices: ReadonlySet<string> = new Set(['otp', 'webauthn', 'webauthn-passwordless', 'recovery-authn-codes']);

/** Why a login ends before its time: by a step that this server does not have, or by no way in at all. */
type FlowEnd = { step: string } | 'noWayIn';

function endWith(flow: BoundFlow, devices: ReadonlySet<string>, isKnown: boolean): FlowEnd | undefined {
  const done = new Set<string>();
  for (let taken = 0; taken < mostSteps; taken += 1) {
    const isStarted = isKnown || taken > 0;
    const outcome = followFlow(flow, {
      done,
      bySession: false,
      hasUser: isStarted,
      isProven: isStarted,
      byMail: isStarted,
      devices,
      demandedLevel: Number.POSITIVE_INFINITY,
    });
    if (outcome.kind === 'unsupported') return { step: outcome.step };
    if (outcome.kind === 'provider') return undefined;
    if (!isStarted && outcome.kind !== 'form') return 'noWayIn';
    if (outcome.kind !== 'form') return undefined;
    const missing =
      outcome.step === 'registration-page-form' ? missingStep(shownForm(flow, outcome.execution)) : undefined;
    if (missing !== undefined) return { step: missing };
    done.add(outcome.execution);
  }
  return undefined;
}

/**
 * Why a login by a flow ends of a user who does all that is asked for, with all devices and with none; undefined if it does not. `isKnown` if the
 * flow begins with a known user.
 */
export const endOf = (flow: BoundFlow, isKnown: boolean): FlowEnd | undefined =>
  flow.top && (endWith(flow, noDevices, isKnown) ?? endWith(flow, allDevices, isKnown));
