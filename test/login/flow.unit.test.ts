import { describe, expect, it } from 'vitest';
import { type Flow, flowAmong } from '../../src/services/login/bound-flow.js';
import { followFlow } from '../../src/services/login/flow.js';

type Execution = Flow['executions'][number];

const step = (authenticator: string, requirement = 'REQUIRED', config?: Record<string, string>): Execution => ({
  id: authenticator,
  authenticator,
  subflowId: null,
  requirement,
  config: config ? { config } : null,
});
const into = (alias: string, requirement: string): Execution => ({
  id: `into ${alias}`,
  authenticator: null,
  subflowId: alias,
  requirement,
  config: null,
});
const flow = (alias: string, ...executions: Execution[]): Flow => ({ id: alias, alias, executions });

describe('a flow', () => {
  const known = { bySession: false, hasUser: true, isProven: true, devices: new Set<string>() };

  it('asks for a second factor by what the user has logged in with', () => {
    const outcome = (used: string[], config: Record<string, string>) => {
      const flows = [
        flow('browser', into('second', 'CONDITIONAL')),
        flow('second', step('conditional-credential', 'REQUIRED', config), step('auth-otp-form')),
      ];
      const progress = { ...known, done: new Set<string>(), used: new Set(used), devices: new Set(['otp']) };
      return followFlow(flowAmong(flows, {}, undefined, 'browser'), progress).kind;
    };
    const passkeys = { credentials: 'webauthn##webauthn-passwordless' };
    expect(outcome(['webauthn-passwordless'], passkeys)).not.toBe('form');
    expect(outcome(['password'], passkeys)).toBe('form');
    expect(outcome(['password'], { credentials: 'password', included: 'true' })).toBe('form');
    expect(outcome(['webauthn-passwordless'], { credentials: 'password', included: 'true' })).not.toBe('form');
  });

  it('asks for a code by an attribute, by roles, or else by the default of the form', () => {
    const asks = (config: Record<string, string>, more: { own?: string; roles?: string[] } = {}) => {
      const flows = [
        flow('browser', step('auth-username-password-form'), step('auth-conditional-otp-form', 'REQUIRED', config)),
      ];
      const outcome = followFlow(flowAmong(flows, {}, undefined, 'browser'), {
        ...known,
        done: new Set(['auth-username-password-form']),
        devices: new Set(['otp']),
        roles: new Set(more.roles),
        attribute: (name) => (name === 'otp' ? more.own : undefined),
      });
      return outcome.kind === 'form' ? outcome.step : outcome.kind;
    };
    expect(asks({})).toBe('auth-otp-form');
    expect(asks({ defaultOtpOutcome: 'skip' })).toBe('passed');
    const byRole = { skipOtpRole: 'office', forceOtpRole: 'app.admin', defaultOtpOutcome: 'skip' };
    expect(asks(byRole, { roles: ['app.admin'] })).toBe('auth-otp-form');
    expect(asks(byRole, { roles: ['app.admin', 'office'] })).toBe('passed');
    expect(asks({ ...byRole, otpControlAttribute: 'otp' }, { roles: ['office'], own: 'force' })).toBe('auth-otp-form');
    expect(asks({ otpControlAttribute: 'otp' }, { own: 'skip' })).toBe('passed');
    expect(asks({ otpControlAttribute: 'otp' }, { own: 'yes' })).toBe('auth-otp-form');
    expect(asks({ noOtpRequiredForHeaderPattern: 'X-Office: yes' })).toBe('unsupported');
  });

  it('stays on the alternative that was begun', () => {
    const flows = [
      flow('browser', into('by key', 'ALTERNATIVE'), into('by password', 'ALTERNATIVE')),
      flow('by key', step('webauthn-authenticator')),
      flow('by password', step('auth-username-password-form'), step('auth-otp-form')),
    ];
    const bound = flowAmong(flows, {}, undefined, 'browser');
    const progress = {
      ...known,
      done: new Set(['auth-username-password-form']),
      devices: new Set(['otp', 'webauthn']),
    };
    expect(followFlow(bound, progress)).toMatchObject({ kind: 'form', step: 'auth-otp-form' });
  });
});

/** Flows of which each names the next one ten times. */
const nested = (deep: number, last: string): Flow[] =>
  Array.from({ length: deep + 1 }, (_, level) => ({
    id: `flow-${level}`,
    alias: level === 0 ? 'browser' : `flow-${level}`,
    executions: Array.from({ length: level === deep ? 1 : 10 }, (_, place) => ({
      id: `${level}-${place}`,
      authenticator: level === deep ? last : null,
      subflowId: level === deep ? null : `flow-${level + 1}`,
      requirement: 'ALTERNATIVE',
      config: null,
    })),
  }));

const outcome = (deep: number, last: string) =>
  followFlow(flowAmong(nested(deep, last), {}, undefined, 'browser'), {
    done: new Set(),
    bySession: false,
    hasUser: false,
    isProven: true,
    devices: new Set(),
  });

describe('a flow that names its sub-flows many times', () => {
  it('is followed as far as it has an end', () => {
    expect(outcome(2, 'auth-cookie')).toEqual({ kind: 'inapplicable' });
    expect(outcome(8, 'auth-username-password-form')).toMatchObject({ kind: 'form' });
  });

  it('is given up when it takes too long, and passed by nobody', () => {
    expect(outcome(15, 'auth-cookie')).toEqual({ kind: 'unsupported', step: 'browser' });
  });

  it('is given up when its conditions take too long', () => {
    const many = <T>(make: (place: number) => T) => Array.from({ length: 500 }, (_, place) => make(place));
    const flows = [
      flow('browser', ...many((place) => ({ ...into('second', 'CONDITIONAL'), id: `into ${place}` }))),
      flow('second', ...many(() => step('conditional-user-configured')), step('auth-otp-form')),
    ];
    const progress = { done: new Set<string>(), bySession: false, hasUser: true, isProven: true };
    const bound = flowAmong(flows, {}, undefined, 'browser');
    const devices = new Set<string>();
    expect(followFlow(bound, { ...progress, devices })).toEqual({ kind: 'unsupported', step: 'browser' });
  });
});
