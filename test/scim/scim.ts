import { type Answer, type Caller, startWithRealm } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';

export const realm = 'shop';
export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const customUrn = 'urn:realmgate:params:scim:schemas:extension:attributes:2.0:User';
const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Sends a SCIM request to the realm. */
export type Scim = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

export const scimOf =
  (caller: Caller, name = realm): Scim =>
  (method, path, body, headers = {}) =>
    caller.send(method, `/realms/${name}/scim/v2${path}`, body, {
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    });

/** A server with a realm, its administrator, and the administrator's SCIM requests. */
export async function startScim(settings: object = {}): Promise<{ server: TestServer; admin: Caller; scim: Scim }> {
  const { server, admin } = await startWithRealm(
    { realm, enabled: true, editUsernameAllowed: true, ...settings },
    {},
    slowClock,
  );
  return { server, admin, scim: scimOf(admin) };
}

/** The body of a PATCH request with these operations. */
export const operations = (...list: object[]) => ({ schemas: [patchUrn], Operations: list });

/** Creates a user and returns its ID. */
export async function newUser(scim: Scim, userName: string, others: object = {}): Promise<string> {
  const { status, body } = await scim('POST', '/Users', { schemas: [userUrn], userName, ...others });
  if (status !== 201) throw new Error(`The user was not created: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** Creates a group and returns its ID. */
export async function newGroup(scim: Scim, displayName: string, others: object = {}): Promise<string> {
  const { status, body } = await scim('POST', '/Groups', { schemas: [groupUrn], displayName, ...others });
  if (status !== 201) throw new Error(`The group was not created: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** The path of a list with this filter. */
export const filtered = (path: string, filter: string): string => `${path}?filter=${encodeURIComponent(filter)}`;
