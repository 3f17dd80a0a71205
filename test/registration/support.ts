import { type Answer, type Caller, callerWith } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const policyType = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';

/** Sends requests below `/clients-registrations` of a realm with a token, or without one. */
export const registrations =
  (server: TestServer, realm: string) =>
  (token?: string) =>
  (method: string, path: string, body?: unknown): Promise<Answer> =>
    callerWith(server, token).send(method, `/realms/${realm}/clients-registrations/${path}`, body);

/** A new initial access token of the realm. */
export async function initialToken(admin: Caller, realm: string, count = 100, expiration = 0): Promise<string> {
  const { body } = await admin.send('POST', `/${realm}/clients-initial-access`, { count, expiration });
  return body.token;
}

/** Adds, or replaces, a registration policy of a realm and returns its id. */
export async function setPolicy(
  admin: Caller,
  realm: string,
  policy: { providerId: string; subType: 'anonymous' | 'authenticated'; config: Record<string, string[]> },
): Promise<void> {
  const { body } = await admin.send('GET', `/${realm}/components?type=${policyType}`);
  const found = body.find(
    (row: typeof policy) => row.providerId === policy.providerId && row.subType === policy.subType,
  );
  const row = { name: policy.providerId, providerType: policyType, ...policy };
  if (found) await admin.send('PUT', `/${realm}/components/${found.id}`, { ...row, id: found.id });
  else await admin.send('POST', `/${realm}/components`, row);
}
