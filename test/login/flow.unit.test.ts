import { describe, expect, it } from 'vitest';
import { type Flow, flowAmong, followFlow } from '../../src/services/login/flow.js';

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
