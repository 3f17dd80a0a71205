// @both-databases
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeClient, makeRealm, makeUser, openWorld, send, type World } from './world.js';

let world: World;
let realmId: string;

beforeAll(async () => {
  world = await openWorld();
  realmId = await makeRealm(world, 'shop');
  await makeClient(world, realmId, 'app');
  await makeClient(world, realmId, 'desk');
  await makeUser(world, realmId, 'ann');
});

describe('refreshing', () => {
  const form = { grant_type: 'password', client_id: 'app', username: 'ann', password: 'pw-ann' };
  const login = async (more: Record<string, string> = {}) => (await send(world, 'shop', { ...form, ...more })).body;
  const refresh = (token: unknown, client_id = 'app') =>
    send(world, 'shop', { grant_type: 'refresh_token', client_id, refresh_token: String(token) });

  it('goes on with the session, as often as it lasts', async () => {
    const first = await login();
    const second = await refresh(first.refresh_token);
    expect(second).toMatchObject({
      status: 200,
      body: { session_state: first.session_state, refresh_expires_in: 1800 },
    });
    expect((await refresh(first.refresh_token)).status).toBe(200);
  });

  it('is refused for tokens that are not fit for it', async () => {
    const { refresh_token, access_token } = await login({ scope: 'openid' });
    const refused = async (token: unknown, clientId?: string) =>
      (await refresh(token, clientId)).body.error_description;
    expect(await refused('garbage')).toBe('Invalid refresh token');
    expect(await refused(access_token)).toBe('Invalid refresh token');
    expect(await refused(`${refresh_token}x`)).toBe('Invalid refresh token');
    expect(await refused('')).toBe('No refresh token');
    expect(await refused(refresh_token, 'desk')).toBe(
      "Invalid refresh token. Token client and authorized client don't match",
    );
    world.wait(1_800_000);
    expect(await refused(refresh_token)).toBe('Token is not active');
  });

  it('ends with the user, and with notBefore of realm, client and user', async () => {
    const { refresh_token } = await login();
    const { sub } = decodeJwt(String(refresh_token));
    const later = Math.floor(world.now() / 1000) + 5;
    const description = async () => (await refresh(refresh_token)).body.error_description;
    const user = (data: { enabled?: boolean; notBefore?: number }) =>
      world.database.transaction((tx) => tx.user.updateMany({ where: { id: String(sub) }, data }));
    await user({ enabled: false });
    expect(await description()).toBe('User disabled');
    await user({ enabled: true, notBefore: later });
    expect(await description()).toBe('Stale token');
    await user({ notBefore: 0 });
    expect(await description()).toBeUndefined();
    const where = { realmId, clientId: 'app' };
    const client = (notBefore: number) =>
      world.database.transaction((tx) => tx.client.updateMany({ where, data: { notBefore } }));
    await client(later);
    expect(await description()).toBe('Stale token');
    await client(0);
    const settings = (await world.database.read.realm.findFirst({ where: { id: realmId }, select: { settings: true } }))
      ?.settings;
    const realm = (notBefore: number) =>
      world.database.transaction((tx) =>
        tx.realm.updateMany({ where: { id: realmId }, data: { settings: { ...(settings as object), notBefore } } }),
      );
    await realm(later);
    expect(await description()).toBe('Stale token');
    expect((await login())['not-before-policy']).toBe(later);
    await realm(0);
  });
});
