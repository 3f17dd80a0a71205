import { expect } from 'vitest';
import type { Caller } from '../support/fixture.js';

/** Gives a user management permissions, by their scopes, for these groups alone. */
export async function delegate(
  admin: Caller,
  realm: string,
  username: string,
  groupIds: readonly string[],
  ...scopes: string[]
): Promise<void> {
  await admin.send('PUT', `/${realm}/users-management-permissions`, { enabled: true });
  const [client] = (await admin.send('GET', `/${realm}/clients?clientId=realm-management`)).body;
  const [user] = (await admin.send('GET', `/${realm}/users?username=${username}`)).body;
  const at = `/${realm}/clients/${client.id}/authz/resource-server`;
  const policy = { name: `is ${username}, for ${scopes.join()}`, users: [user.id], logic: 'POSITIVE' };
  expect((await admin.send('POST', `${at}/policy/user`, policy)).status).toBe(201);
  for (const id of groupIds) {
    const { body } = await admin.send('PUT', `/${realm}/groups/${id}/management/permissions`, { enabled: true });
    for (const scope of scopes) {
      const place = `${at}/permission/scope/${body.scopePermissions[scope]}`;
      const known = (await admin.send('GET', place)).body;
      expect((await admin.send('PUT', place, { ...known, policies: [policy.name] })).status).toBe(201);
    }
  }
}
