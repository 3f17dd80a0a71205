import { flag, int, long, representation, text } from '../core/shape.js';

/** Status of a user in brute-force detection, which the contract does not name. */
export const LoginFailureStatus = representation('LoginFailureStatus', {
  numFailures: int,
  disabled: flag,
  lastIPFailure: text,
  lastFailure: long,
});

/** The failed logins of a user, as the API reports them. */
export interface FailureStatus {
  failures: number;
  /** whether no login is accepted now */
  locked: boolean;
  /** seconds since 1970; undefined if the user is not locked */
  lockedUntil: number | undefined;
  /** milliseconds since 1970; 0 if nothing is counted */
  lastFailure: number;
  /** null if the failures were cleared, undefined if there were none */
  lastAddress: string | null | undefined;
}

/** The status in the contract's form. */
export const encodeStatus = ({ failures, locked, lastFailure, lastAddress }: FailureStatus) => ({
  numFailures: failures,
  disabled: locked,
  lastFailure,
  ...(lastAddress !== null && { lastIPFailure: lastAddress ?? 'n/a' }),
});
