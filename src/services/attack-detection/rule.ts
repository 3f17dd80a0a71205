/** The stored state of the failed logins of a user. */
export interface LoginFailures {
  failures: number;
  /** no login before this time, in seconds since 1970 */
  notBefore: number;
  /** milliseconds since 1970; 0 if there was none */
  lastFailure: number;
}

type Settings = Readonly<Record<string, unknown>>;

const number = (settings: Settings, name: string, standard: number): number => {
  const value = settings[name];
  return typeof value === 'number' ? value : standard;
};

/** Whether the realm counts failed logins. */
export const isProtected = ({ settings }: { settings: Settings }): boolean => settings.bruteForceProtected === true;

/** Whether no login of the user is accepted at `now`, in milliseconds since 1970. */
export const isLocked = ({ notBefore }: Pick<LoginFailures, 'notBefore'>, now: number): boolean =>
  Math.floor(now / 1000) < notBefore;

const mostSeconds = 2 ** 31 - 1;

/**
 * The state after one more failure `at` (milliseconds since 1970), as in the reference server. Every `failureFactor`
 * failures the wait grows by `waitIncrementSeconds` up to `maxFailureWaitSeconds`. Two failures within
 * `quickLoginCheckMilliSeconds` also cause a wait. After `maxDeltaTimeSeconds` without a failure counting starts again.
 * With `permanentLockout`, `disables` is true instead: the user must be disabled.
 */
export function afterFailure(
  settings: Settings,
  earlier: LoginFailures,
  at: number,
): LoginFailures & { disables: boolean } {
  const { lastFailure } = earlier;
  // with concurrent failures, one that waited longer for the lock may have the earlier time
  const now = Math.max(at, lastFailure);
  const since = lastFailure > 0 ? now - lastFailure : Number.POSITIVE_INFINITY;
  const quick = since < number(settings, 'quickLoginCheckMilliSeconds', 1000);
  const factor = Math.max(number(settings, 'failureFactor', 30), 1);
  const until = (seconds: number): number => Math.min(Math.floor(now / 1000) + seconds, mostSeconds);
  const quickWait = number(settings, 'minimumQuickLoginWaitSeconds', 60);

  if (settings.permanentLockout === true) {
    const failures = Math.min(earlier.failures + 1, mostSeconds);
    const disables = failures >= factor;
    const notBefore = quick && !disables ? until(quickWait) : earlier.notBefore;
    return { failures, notBefore, lastFailure: now, disables };
  }
  const forgotten = lastFailure > 0 && since > number(settings, 'maxDeltaTimeSeconds', 43_200) * 1000;
  const failures = Math.min((forgotten ? 0 : earlier.failures) + 1, mostSeconds);
  const grown = number(settings, 'waitIncrementSeconds', 60) * Math.floor(failures / factor);
  const wait = Math.min(grown === 0 && quick ? quickWait : grown, number(settings, 'maxFailureWaitSeconds', 900));
  return { failures, notBefore: wait > 0 ? until(wait) : earlier.notBefore, lastFailure: now, disables: false };
}
