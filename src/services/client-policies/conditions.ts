import { lookup } from 'node:dns/promises';
import { textsOf } from '../core/json.js';

/** How a client came to be written. */
export type UpdaterContext =
  | 'ByAuthenticatedUser'
  | 'ByAnonymous'
  | 'ByInitialAccessToken'
  | 'ByRegistrationAccessToken';

export type AccessType = 'bearer-only' | 'confidential' | 'public';

/** What conditions look at. Each question is asked only by a condition that needs the answer. */
export interface Occasion {
  accessType: AccessType;
  /** names of the roles of the client; nothing for one that is not there yet */
  roles?: () => Promise<readonly string[]>;
  /** the client scopes of a request that the client has, by the list they are in */
  scopes?: { Default: readonly string[]; Optional: readonly string[] };
  /** who writes a client */
  updater?: {
    context: UpdaterContext;
    /** whether the request comes from one of these hosts */
    isAt: (hosts: readonly string[]) => Promise<boolean>;
    /** roles as `name` or `clientId.name`, names of groups */
    roles: () => Promise<readonly string[]>;
    groups: () => Promise<readonly string[]>;
  };
}

type Configuration = Readonly<Record<string, unknown>>;

/** Whether a condition holds; nothing where it has no say. */
type Condition = (
  occasion: Occasion,
  configuration: Configuration,
) => boolean | undefined | Promise<boolean | undefined>;

const among = (found: readonly string[], wanted: unknown): boolean => {
  const names = textsOf(wanted);
  return found.some((name) => names.includes(name));
};

/** Whether an address is that of one of the hosts; names are resolved, those that cannot be are nobody's. */
export async function isHost(address: string, hosts: readonly string[]): Promise<boolean> {
  if (hosts.includes(address)) return true;
  const found = await Promise.all(
    hosts.map((host) => lookup(host, { all: true }).catch(() => [] as { address: string }[])),
  );
  return found.flat().some((known) => known.address === address);
}

/** Every condition that a policy can have, by its id. */
export const conditions: ReadonlyMap<string, Condition> = new Map<string, Condition>([
  ['any-client', () => true],
  ['client-access-type', ({ accessType }, { type }) => among([accessType], type)],
  ['client-roles', async ({ roles }, configuration) => roles && among(await roles(), configuration.roles)],
  [
    'client-scopes',
    ({ scopes }, configuration) =>
      scopes && among(scopes[configuration.type === 'Default' ? 'Default' : 'Optional'], configuration.scopes),
  ],
  [
    'client-updater-context',
    ({ updater }, configuration) => updater && among([updater.context], configuration['update-client-source']),
  ],
  ['client-updater-source-groups', async ({ updater }, { groups }) => updater && among(await updater.groups(), groups)],
  [
    'client-updater-source-host',
    ({ updater }, configuration) => updater?.isAt(textsOf(configuration['trusted-hosts'])),
  ],
  ['client-updater-source-roles', async ({ updater }, { roles }) => updater && among(await updater.roles(), roles)],
]);
