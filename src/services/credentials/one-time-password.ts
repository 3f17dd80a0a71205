import { createHmac, timingSafeEqual } from 'node:crypto';

const digests = new Map([
  ['HmacSHA1', 'sha1'],
  ['HmacSHA256', 'sha256'],
  ['HmacSHA512', 'sha512'],
]);

/**
 * Whether the code is a time-based one-time password (RFC 6238) of the credential at the time, in seconds since 1970,
 * or within `lookAround` periods of it. Counter-based devices (RFC 4226) are not verified, because that needs the
 * counter to be kept.
 */
export function verifyOneTimePassword(
  code: string,
  { credentialData, secretData }: { credentialData: string; secretData: string },
  seconds: number,
  lookAround = 1,
): boolean {
  let data: Record<string, unknown>;
  let secret: Record<string, unknown>;
  try {
    data = JSON.parse(credentialData) as Record<string, unknown>;
    secret = JSON.parse(secretData) as Record<string, unknown>;
  } catch {
    return false;
  }
  const digest = digests.get(typeof data.algorithm === 'string' ? data.algorithm : 'HmacSHA1');
  const digits = typeof data.digits === 'number' ? data.digits : 6;
  const period = typeof data.period === 'number' && data.period > 0 ? data.period : 30;
  if (data.subType === 'hotp' || !digest || typeof secret.value !== 'string') return false;
  if (!/^\d+$/.test(code) || code.length !== digits || digits < 6 || digits > 8) return false;
  const step = Math.floor(seconds / period);
  let valid = false;
  for (let at = Math.max(0, step - lookAround); at <= step + lookAround; at += 1) {
    const expected = Buffer.from(oneTimePassword(secret.value, at, digits, digest));
    // no early exit: the time must not tell which step matched
    if (timingSafeEqual(expected, Buffer.from(code))) valid = true;
  }
  return valid;
}

/** The HMAC-based one-time password for a counter value, RFC 4226 section 5.3. */
function oneTimePassword(secret: string, counter: number, digits: number, digest: string): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac(digest, secret).update(message).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}
