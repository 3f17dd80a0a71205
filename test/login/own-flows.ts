import { createHmac } from 'node:crypto';

/** A step of a flow in a realm file. */
export const step = (
  authenticator: string,
  requirement: string,
  priority: number,
  authenticatorConfig?: string,
): object => ({ authenticator, requirement, priority, ...(authenticatorConfig && { authenticatorConfig }) });

/** A sub-flow in the place of a step. */
export const into = (flowAlias: string, priority: number, requirement = 'CONDITIONAL'): object => ({
  flowAlias,
  requirement,
  priority,
});

/** A flow in a realm file. */
export const flow = (alias: string, topLevel: boolean, ...authenticationExecutions: object[]): object => ({
  alias,
  providerId: 'basic-flow',
  topLevel,
  builtIn: false,
  authenticationExecutions,
});

const secret = '12345678901234567890';

/** A device for one-time codes as a credential of a user. */
export const device = (subType: string): object => ({
  type: 'otp',
  secretData: JSON.stringify({ value: secret }),
  credentialData: JSON.stringify({ subType, digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' }),
});

/** The code of the device for a counter value (RFC 4226). */
export function codeOf(counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac('sha1', secret).update(message).digest();
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
