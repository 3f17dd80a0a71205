import { expect } from 'vitest';
import type { Caller } from '../support/fixture.js';

interface Permitting {
  admin: Caller;
  realm: string;
  /** the ID of the client that administers the realm */
  administration: string | undefined;
}

/**
 * Switches on the management permissions at a path below the realm, and grants a user these of their scopes by the policy
 * `is <username>`, which there must be.
 */
export async function permitUser(
  { admin, realm, administration }: Permitting,
  path: string,
  username: string,
  scopes: readonly string[],
): Promise<void> {
  const { status, body } = await admin.send('PUT', `/${realm}${path}`, { enabled: true });
  expect(status).toBe(200);
  for (const scope of scopes) {
    const server = `/${realm}/clients/${administration}/authz/resource-server`;
    const at = `${server}/permission/scope/${body.scopePermissions[scope]}`;
    const known = (await admin.send('GET', at)).body;
    expect((await admin.send('PUT', at, { ...known, policies: [`is ${username}`] })).status).toBe(201);
  }
}
