import {
  InsufficientAccessError,
  InvalidCredentialsError,
  NoSuchObjectError,
  ResultCodeError,
  UnwillingToPerformError,
} from 'ldapts';
import { busy, Refusal } from '../core/refusal.js';

/** The reason why a directory did not answer. The text contains neither the password nor the search terms. */
export class LdapFault extends Error {
  /** resultCode of RFC 4511; undefined if there was no answer */
  readonly code: number | undefined;
  /** the reason of Active Directory for refusing a login: the code after `data` in its answer */
  readonly detail: string | undefined;
  constructor(message: string, code?: number, detail?: string) {
    super(message);
    this.name = 'LdapFault';
    this.code = code;
    this.detail = detail;
  }
}

/** Result codes of RFC 4511, appendix A. */
export const resultCodes = {
  success: 0,
  sizeLimitExceeded: 4,
  referral: 10,
  noSuchAttribute: 16,
  attributeOrValueExists: 20,
  noSuchObject: 32,
  invalidCredentials: 49,
  objectClassViolation: 65,
  entryAlreadyExists: 68,
} as const;

const texts = new Map<unknown, string>([
  [InvalidCredentialsError, 'the directory rejected the bind DN or its password'],
  [InsufficientAccessError, 'the bind DN lacks the permission in the directory'],
  [NoSuchObjectError, 'the entry does not exist in the directory'],
  [UnwillingToPerformError, 'the directory refused the operation'],
]);

/** An error of the client as a fault that may be shown. */
export function ldapFault(error: unknown): LdapFault {
  if (error instanceof LdapFault) return error;
  if (error instanceof ResultCodeError) {
    const text =
      texts.get(error.constructor) ??
      (error.code === resultCodes.referral ? 'the directory referred to another server' : undefined) ??
      `the directory responded with ${error.name} (${error.code})`;
    const [, detail] = /AcceptSecurityContext error, data ([0-9a-f]+),/i.exec(error.message) ?? [];
    return new LdapFault(text, error.code, detail);
  }
  const code = (error as NodeJS.ErrnoException)?.code;
  return new LdapFault(`the directory cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`);
}

/** The refusal of a request for which a directory does not answer, or which it refuses. */
export const directoryRefusal = (name: string | null, fault: LdapFault): Refusal =>
  fault.code === undefined
    ? busy(`User storage "${name ?? ''}": ${fault.message}`, { member: 'errorMessage' })
    : new Refusal('invalid', `User storage "${name ?? ''}": ${fault.message}`, { member: 'errorMessage' });

/** The error to throw if only the directory could have answered and failed in any way. */
export const unanswered = ({ name }: { name: string | null }, error: unknown): unknown =>
  error instanceof LdapFault ? directoryRefusal(name, new LdapFault(error.message)) : error;

/** Converts an error of a directory to a refusal; other errors stay as they are. */
export const asDirectoryRefusal = (name: string | null, error: unknown): unknown =>
  error instanceof LdapFault ? directoryRefusal(name, error) : error;
