import { createHash } from 'node:crypto';
import type { Database } from '../../database/db.js';
import { members } from '../core/json.js';
import type { Sealer } from '../core/seal.js';
import { placeOfCredential } from '../core/sealed-columns.js';
import { storableTime } from '../core/storable-time.js';
import { inTransaction } from '../core/unit-of-work.js';
import { type CodeMatch, matchOneTimePassword } from './one-time-password.js';

/** A device of a user; its secret is sealed. */
interface Device {
  id: string;
  type: string | null;
  credentialData: string;
  secretData: string;
}

/** A user with devices. */
export interface DeviceOwner {
  id: string;
  credentials: readonly Device[];
}

interface Realm {
  id: string;
  settings: Readonly<Record<string, unknown>>;
  attributes: unknown;
}

interface Keeping {
  database: Database;
  sealer: Sealer;
}

const purpose = 'used one-time code';
const mostSteps = 10;

/** Number of periods or counter values besides the present one that a realm accepts. */
function lookAroundOf({ settings }: Pick<Realm, 'settings'>): number {
  const set = Number(settings.otpPolicyLookAheadWindow ?? 1);
  return Number.isFinite(set) ? Math.min(Math.max(Math.floor(set), 0), mostSteps) : 1;
}

/**
 * Whether the code is right for one of the user's devices at the time, in seconds since 1970, and was not used before
 * (RFC 6238 section 5.2). Of concurrent requests with the same code one succeeds. A realm with `realmReusableOtpCode`
 * accepts a time-based code again while it is valid.
 */
export async function spendOneTimePassword(
  { database, sealer }: Keeping,
  realm: Realm,
  { id: userId, credentials }: DeviceOwner,
  code: string,
  at: number,
): Promise<boolean> {
  const around = lookAroundOf(realm);
  const devices = credentials.filter(({ type }) => type === 'otp');
  const matches = devices.map((device) => {
    const { id, credentialData, secretData } = device;
    return matchOneTimePassword(
      code,
      { credentialData, secretData: sealer.open(secretData, placeOfCredential({ id, userId })) },
      at,
      around,
    );
  });
  // a code of two devices is as rare as a right guess, and the first one has it
  const index = matches.findIndex((match) => match !== undefined);
  const [device, match] = [devices[index], matches[index]];
  return device !== undefined && match !== undefined && spend(database, realm, device, match, around);
}

async function spend(
  database: Database,
  realm: Realm,
  device: Device,
  { step, period, credentialData }: CodeMatch,
  around: number,
): Promise<boolean> {
  const { id } = device;
  if (period !== undefined && members(realm.attributes).realmReusableOtpCode === 'true') return true;
  const spent = await inTransaction(database, async (tx) => {
    if (period === undefined) {
      const where = { id, credentialData: device.credentialData };
      return (await tx.credential.updateMany({ where, data: { credentialData } })).count;
    }
    const name = createHash('sha256').update(`${purpose} ${id} ${step}`).digest('base64url');
    return tx.insertNew('OneTimeToken', [
      { id: name, realmId: realm.id, purpose, expiresAt: storableTime((step + around + 1) * period + 1) },
    ]);
  });
  return spent > 0;
}
