import { describe, expect, it } from 'vitest';
import { afterFailure, isLocked, type LoginFailures } from '../../src/services/attack-detection/rule.js';

const at = 1_700_000_000_000;
const settings = {
  failureFactor: 3,
  waitIncrementSeconds: 60,
  maxFailureWaitSeconds: 150,
  minimumQuickLoginWaitSeconds: 40,
  quickLoginCheckMilliSeconds: 1000,
  maxDeltaTimeSeconds: 3600,
};
const none: LoginFailures = { failures: 0, notBefore: 0, lastFailure: 0 };
const earlier = (failures: number, secondsAgo: number, notBefore = 0): LoginFailures => ({
  failures,
  notBefore,
  lastFailure: at - secondsAgo * 1000,
});
const counted = (before: LoginFailures, more: object = {}) => afterFailure({ ...settings, ...more }, before, at);
const waitOf = (before: LoginFailures, more: object = {}) => {
  const { notBefore } = counted(before, more);
  return notBefore === 0 ? 0 : notBefore - at / 1000;
};

describe('a failed login', () => {
  it('is counted, and forgives the first ones', () => {
    expect(counted(none)).toEqual({ failures: 1, notBefore: 0, lastFailure: at, disables: false });
    expect(counted(earlier(1, 10))).toMatchObject({ failures: 2, notBefore: 0 });
  });

  it('makes waits that grow with every further group of failures, up to the longest', () => {
    expect([2, 3, 4, 5, 8, 11, 3000].map((failures) => waitOf(earlier(failures, 10)))).toEqual([
      60, 60, 60, 120, 150, 150, 150,
    ]);
  });

  it('waits after two quick ones', () => {
    expect(waitOf(earlier(1, 0.9))).toBe(40);
    expect(waitOf(earlier(1, 1))).toBe(0);
    expect(waitOf(none)).toBe(0);
    expect(waitOf(earlier(1, 0.1), { maxFailureWaitSeconds: 5 })).toBe(5);
  });

  it('takes one that comes late for one of the same moment', () => {
    const late = counted(earlier(1, -0.01), { quickLoginCheckMilliSeconds: 0 });
    expect(late).toEqual({ failures: 2, notBefore: 0, lastFailure: at + 10, disables: false });
  });

  it('starts again after a long time', () => {
    expect(counted(earlier(7, 3601))).toMatchObject({ failures: 1, notBefore: 0 });
    expect(counted(earlier(7, 3600))).toMatchObject({ failures: 8 });
  });

  it('disables for good where the realm wants that', () => {
    const permanent = { permanentLockout: true };
    expect(counted(earlier(1, 10), permanent)).toMatchObject({ failures: 2, disables: false, notBefore: 0 });
    expect(counted(earlier(2, 10), permanent)).toMatchObject({ failures: 3, disables: true, notBefore: 0 });
    expect(counted(earlier(1, 0.1), permanent)).toMatchObject({ notBefore: at / 1000 + 40 });
  });

  it('stands any settings', () => {
    const most = 2 ** 31 - 1;
    const odd = { failureFactor: 0, waitIncrementSeconds: most, maxFailureWaitSeconds: most };
    expect(counted(earlier(most, 1), odd)).toMatchObject({ failures: most, notBefore: most });
    expect(waitOf(earlier(5, 10), { waitIncrementSeconds: -5 })).toBe(0);
    expect(afterFailure({}, none, at)).toMatchObject({ failures: 1, notBefore: 0 });
  });
});

it('a lock ends with its second', () => {
  expect(isLocked({ notBefore: at / 1000 + 1 }, at + 999)).toBe(true);
  expect(isLocked({ notBefore: at / 1000 + 1 }, at + 1000)).toBe(false);
});
