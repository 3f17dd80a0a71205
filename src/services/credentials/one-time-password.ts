import { createHmac, timingSafeEqual } from 'node:crypto';

const digests = new Map([
  ['HmacSHA1', 'sha1'],
  ['HmacSHA256', 'sha256'],
  ['HmacSHA512', 'sha512'],
]);

/** The result of a match. */
export interface CodeMatch {
  /** the period of the time, counted since 1970, or the value of the device's counter */
  step: number;
  /** the length of a period in seconds; undefined if the device counts its codes */
  period: number | undefined;
  /** the data of the device to store, with the counter after this code for a counter-based one */
  credentialData: string;
}

/** Whether the code is one of the credential; see `matchOneTimePassword`. */
export const verifyOneTimePassword = (...check: Parameters<typeof matchOneTimePassword>): boolean =>
  matchOneTimePassword(...check) !== undefined;

/**
 * Matches a one-time password; undefined if it is wrong. For a time-based device (RFC 6238) it must match within
 * `lookAround` periods of the time, in seconds since 1970. For a counter-based one (RFC 4226) it must match the counter
 * or one of the `lookAround` values after it. `spendOneTimePassword` checks whether the code was used before.
 */
export function matchOneTimePassword(
  code: string,
  { credentialData, secretData }: { credentialData: string; secretData: string },
  seconds: number,
  lookAround = 1,
): CodeMatch | undefined {
  let data: Record<string, unknown>;
  let secret: Record<string, unknown>;
  try {
    data = JSON.parse(credentialData) as Record<string, unknown>;
    secret = JSON.parse(secretData) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const digest = digests.get(typeof data.algorithm === 'string' ? data.algorithm : 'HmacSHA1');
  const digits = typeof data.digits === 'number' ? data.digits : 6;
  const period = typeof data.period === 'number' && data.period > 0 ? data.period : 30;
  if (!digest || typeof secret.value !== 'string') return undefined;
  if (!/^\d+$/.test(code) || code.length !== digits || digits < 6 || digits > 8) return undefined;
  const counts = data.subType === 'hotp';
  const counter = Number.isSafeInteger(data.counter) ? Math.max(0, Number(data.counter)) : 0;
  const present = counts ? counter : Math.floor(seconds / period);
  const first = counts ? present : Math.max(0, present - lookAround);
  let step: number | undefined;
  for (let at = first; at <= present + lookAround; at += 1) {
    const expected = Buffer.from(oneTimePassword(secret.value, at, digits, digest));
    // no early exit: the time must not reveal the matching step
    if (timingSafeEqual(expected, Buffer.from(code))) step ??= at;
  }
  if (step === undefined) return undefined;
  return counts
    ? { step, period: undefined, credentialData: JSON.stringify({ ...data, counter: step + 1 }) }
    : { step, period, credentialData };
}

/** The HMAC-based one-time password for a counter value, RFC 4226 section 5.3. */
function oneTimePassword(secret: string, counter: number, digits: number, digest: string): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac(digest, secret).update(message).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}
