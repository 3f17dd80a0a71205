import { flag, int, long, representation, text } from '../core/shape.js';

/** Status of a user in brute-force detection, which the contract does not name. */
export const LoginFailureStatus = representation('LoginFailureStatus', {
  numFailures: int,
  disabled: flag,
  lastIPFailure: text,
  lastFailure: long,
});

/** What is known of the failed logins of a user. */
export interface FailureStatus {
  failures: number;
  /** whether no login is accepted now */
  locked: boolean;
  /** seconds since 1970; undefined where the user is not locked */
  lockedUntil: number | undefined;
  /** milliseconds since 1970; 0 where nothing is counted */
  lastFailure: number;
  /** null where the failures were forgotten, undefined where there has been none */
  lastAddress: string | null | undefined;
}

/** The status in the contract's form. */
export const encodeStatus = ({ failures, locked, lastFailure, lastAddress }: FailureStatus) => ({
  numFailures: failures,
  disabled: locked,
  lastFailure,
  ...(lastAddress !== null && { lastIPFailure: lastAddress ?? 'n/a' }),
});
