import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { token } from '../login/agent.js';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

/** The realm of the recorded answers: `alice` and `bob` may do everything, `dave` sees the profile, `erin` sees applications. */
export const shopRealm = JSON.parse(readFileSync(new URL('recorded/realm.json', import.meta.url), 'utf8'));

/** The ways of a user to a token. */
export async function tokenOf(
  server: Pick<TestServer, 'url'>,
  username: string,
  { realm = 'shop', client = 'app', totp }: { realm?: string; client?: string; totp?: string } = {},
): Promise<string> {
  const form = { grant_type: 'password', client_id: client, username, password: `pw-${username}` };
  const { body } = await token(server, realm, { ...form, ...(totp !== undefined && { totp }) });
  if (!body.access_token) throw new Error(`no token for ${username}`);
  return body.access_token;
}

/** A user of the realm as a caller. */
export const userOfShop = async (
  server: Pick<TestServer, 'url'>,
  username: string,
  from?: { realm?: string; client?: string },
): Promise<Caller> => callerWith(server, await tokenOf(server, username, from));

/** An administrator, after the realm was imported with these changes. */
export async function withShop(server: TestServer, change: object = {}): Promise<Caller> {
  const admin = await administrator(server);
  const { status, body } = await admin.send('POST', '/admin/realms', { ...shopRealm, ...change });
  if (status !== 201) throw new Error(`import failed: ${status} ${JSON.stringify(body)}`);
  return admin;
}

/** Has the resource server register an album of Alice, which she may share. Returns its ID. */
export async function albumOfAlice(server: Pick<TestServer, 'url'>): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'photos', client_secret: 'photos-secret' };
  const photos = callerWith(server, (await token(server, 'shop', form)).body.access_token);
  const album = { name: 'Album', ownerManagedAccess: true, owner: 'alice', resource_scopes: ['view', 'print'] };
  const { status, body } = await photos.send('POST', '/realms/shop/authz/protection/resource_set', album);
  if (status !== 201) throw new Error(`no album: ${status} ${JSON.stringify(body)}`);
  return body._id;
}

/** A device for one-time passwords. */
export const phone = {
  type: 'otp',
  userLabel: 'Phone',
  secretData: '{"value":"MFRGGZDFMZTWQ2LK0000"}',
  credentialData: '{"subType":"totp","digits":6,"counter":0,"period":30,"algorithm":"HmacSHA1"}',
};

/** The code of a device at present (RFC 6238): six digits, SHA-1, and 30 seconds. */
export function codeOf(secret: Uint8Array): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** A user of the realm with a phone, as a caller who has shown it. */
export async function userWithPhone(server: Pick<TestServer, 'url'>, username: string): Promise<Caller> {
  return callerWith(server, await tokenOf(server, username, { totp: codeOf(Buffer.from('MFRGGZDFMZTWQ2LK0000')) }));
}

/** The ID of a user of the realm. */
export const idOf = async (admin: Caller, username: string, realm = 'shop'): Promise<string> =>
  (await admin.send('GET', `/admin/realms/${realm}/users?username=${username}&exact=true`)).body[0].id;
