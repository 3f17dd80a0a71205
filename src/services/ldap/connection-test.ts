import { withoutPlace } from '../core/place.js';
import { Refusal } from '../core/refusal.js';
import { close, connect } from './connection.js';
import type { Directory } from './directory.js';
import { LdapFault } from './fault.js';

/** The kinds of tests: whether the directory answers, and whether it also accepts the storage's login. */
export const testActions = ['testConnection', 'testAuthentication'] as const;
export type TestAction = (typeof testActions)[number];

/** The refusal of every test that fails; the reason is in the log of the server. */
export const testFailed = (): Refusal => new Refusal('invalid', 'LDAP test error', { member: 'errorMessage' });

/** Connects once, and with `testAuthentication` logs in. Throws `LdapFault`. */
export async function tryDirectory(directory: Directory, action: TestAction): Promise<void> {
  const asked =
    action === 'testConnection' ? { ...directory, bindDn: undefined, bindCredential: undefined } : directory;
  try {
    close(await withoutPlace(() => connect(asked)));
  } catch (error) {
    // a directory that refuses anonymous access has answered
    const answered = error instanceof LdapFault && error.code !== undefined;
    if (action === 'testAuthentication' || !answered) throw error;
  }
}

/** An ability of a directory (LDAPCapabilityRepresentation of the contract). */
export interface Capability {
  oid: string;
  type: 'CONTROL' | 'EXTENSION' | 'FEATURE' | 'UNKNOWN';
}

const kinds = [
  ['supportedControl', 'CONTROL'],
  ['supportedExtension', 'EXTENSION'],
  ['supportedFeatures', 'FEATURE'],
] as const;

/** The capabilities that the root entry (RFC 4512, 5.1) of a directory states. Throws `LdapFault`. */
export const capabilitiesOf = (directory: Directory): Promise<Capability[]> =>
  withoutPlace(() => readCapabilities(directory));

async function readCapabilities(directory: Directory): Promise<Capability[]> {
  const client = await connect(directory);
  try {
    const { searchEntries } = await client.search('', {
      scope: 'base',
      filter: '(objectClass=*)',
      attributes: kinds.map(([attribute]) => attribute),
    });
    const [root = {}] = searchEntries;
    return kinds.flatMap(([attribute, type]) =>
      [(root as Record<string, unknown>)[attribute] ?? []].flat().map((oid) => ({ oid: String(oid), type })),
    );
  } finally {
    close(client);
  }
}
