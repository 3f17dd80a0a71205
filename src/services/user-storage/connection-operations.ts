import type { Context } from '../core/context.js';
import { mask } from '../core/mask.js';
import { read, write } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import { invalid, Refusal } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { type Capability, capabilitiesOf, testActions, testFailed, tryDirectory } from '../ldap/connection-test.js';
import { type Directory, directoryOf } from '../ldap/directory.js';
import { LdapFault } from '../ldap/fault.js';
import { TestLdapConnectionRepresentation } from './representation.js';
import { isNumber } from './settings.js';
import { storagesOf } from './storage.js';

type Settings = Input<typeof TestLdapConnectionRepresentation>;

/**
 * The directory in the settings. A mask stands for the password of the storage, which is only sent to its own directory
 * under its own name.
 */
async function directoryFrom(ctx: Context, { id: realmId }: RealmRecord, settings: Settings): Promise<Directory> {
  const { bindCredential, componentId, ...rest } = settings;
  const config = Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]]])),
  );
  const given = directoryOf({ ...config, ...(bindCredential !== undefined && { bindCredential: [bindCredential] }) });
  if (bindCredential !== mask || !componentId) return given;
  const [storage] = await storagesOf(ctx.services, realmId, componentId);
  const own = storage?.directory;
  if (
    !own ||
    own.urls.join(' ') !== given.urls.join(' ') ||
    own.bindDn !== given.bindDn ||
    own.startTls !== given.startTls
  ) {
    throw invalid(
      '`bindCredential` must be sent again, because the URL, bind DN, or StartTLS setting differs from the stored directory',
      'bindCredential',
      { member: 'errorMessage' },
    );
  }
  return { ...given, bindCredential: own.bindCredential };
}

/** Refuses settings that no directory can be reached with, before anything is sent. Throws `LdapFault`. */
function requireUsable({ action, authType, bindDn, connectionTimeout }: Settings): void {
  if (authType && authType !== 'none' && authType !== 'simple')
    throw new LdapFault('the authentication type is not supported');
  if (connectionTimeout && !isNumber(connectionTimeout)) throw new LdapFault('the connection timeout must be a number');
  // as recorded, a test of the login requires one even for an anonymous login
  const needsBindDn = action === 'testAuthentication' || (action !== 'testConnection' && authType !== 'none');
  if (needsBindDn && !bindDn) throw new LdapFault('`bindDn` is required');
}

const reached = async <T>(ctx: Context, realm: RealmRecord, work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LdapFault)) throw error;
    ctx.services.log.warn({ realm: realm.name, reason: error.message }, 'a connection to a directory failed');
    return undefined;
  }
};

export const testConnection = write({
  name: 'userStorage.testConnection',
  summary: 'Tests the connection to a directory (`testConnection`), or also the authentication (`testAuthentication`).',
  input: TestLdapConnectionRepresentation,
  allow: 'manage:realm',
  prepare: async (ctx, { realm }: Target, settings): Promise<void> => {
    const done = await reached(ctx, realm, async () => {
      const action = testActions.find((known) => known === settings.action);
      if (!action) throw new LdapFault(`action must be ${testActions.join(' or ')}`);
      const directory = await directoryFrom(ctx, realm, settings);
      requireUsable(settings);
      await tryDirectory(directory, action);
      return true;
    });
    if (!done) throw testFailed();
  },
  run: async () => undefined,
  event: (_, _target, { bindCredential, ...settings }) => ({
    operationType: 'ACTION',
    resourceType: 'REALM',
    resourcePath: 'testLDAPConnection',
    representation: { ...settings, ...(bindCredential !== undefined && { bindCredential: mask }) },
  }),
  touches: () => [],
});

/** The action of the contract that reads capabilities; other actions read nothing. */
export const queryCapabilities = 'queryServerCapabilities';

const capabilitiesFailed = (): Refusal =>
  new Refusal('invalid', 'ldapServerCapabilities error', { member: 'errorMessage' });

export const capabilities = read({
  name: 'userStorage.capabilities',
  summary: 'Returns the controls, extensions, and features of a directory. `action` must be `queryServerCapabilities`.',
  input: TestLdapConnectionRepresentation,
  allow: 'manage:realm',
  run: async (ctx, { realm }: Target, settings): Promise<Capability[]> => {
    if (settings.action !== queryCapabilities) return [];
    const directory = await directoryFrom(ctx, realm, settings);
    const found = await reached(ctx, realm, () => {
      requireUsable(settings);
      return capabilitiesOf(directory);
    });
    if (!found) throw capabilitiesFailed();
    return found;
  },
});
