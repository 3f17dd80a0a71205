import { hostsOf } from '../config/database-hosts.js';
import { Fence, type ServerIdentity } from './fence.js';
import { connectTo, hostName } from './hosts-postgresql.js';
import { acceptServer, stateOf } from './server-identity-postgresql.js';
import { DatabaseUnusable } from './unusable.js';

/** A host of DATABASE_URL as an operator sees it. */
export interface HostState {
  readonly host: string;
  readonly role: 'primary' | 'standby' | 'unreachable';
  /** undefined for a standby, and for a server that does not report it */
  readonly timeline: number | undefined;
  /** the reason why it must not be used */
  readonly refusal: string | undefined;
}

interface Server {
  readonly host: string;
  readonly isReachable: boolean;
  readonly isWritable: boolean;
  readonly identity: ServerIdentity | undefined;
}

async function look(url: string): Promise<Server> {
  const host = hostName(url);
  try {
    const client = await connectTo(url);
    try {
      return { host, isReachable: true, ...(await stateOf(client, host, new Fence())) };
    } finally {
      client.end().catch(() => undefined);
    }
  } catch {
    return { host, isReachable: false, isWritable: false, identity: undefined };
  }
}

/**
 * The state of each host of a PostgreSQL database, in their order. The host with the newest timeline counts as the
 * primary.
 */
export async function hostStates(databaseUrl: string): Promise<HostState[]> {
  const servers = await Promise.all(hostsOf(databaseUrl).map(look));
  const fence = new Fence();
  const byTimeline = [...servers].sort((a, b) => (b.identity?.timeline ?? 0) - (a.identity?.timeline ?? 0));
  const refusals = new Map<string, string>();
  for (const { host, identity } of byTimeline) {
    try {
      if (identity) fence.admit(host, identity);
    } catch (error) {
      refusals.set(host, error instanceof Error ? error.message : String(error));
    }
  }
  return servers.map(({ host, isReachable, isWritable, identity }) => ({
    host,
    role: !isReachable ? 'unreachable' : isWritable ? 'primary' : 'standby',
    timeline: identity?.timeline,
    refusal: refusals.get(host),
  }));
}

/**
 * Binds the database to the server with this system identifier, after a restore or an upgrade. Returns the name of its
 * host. Throws DatabaseUnusable if no writable host has it.
 */
export async function acceptDatabase(databaseUrl: string, systemIdentifier: string): Promise<string> {
  const found: string[] = [];
  for (const url of hostsOf(databaseUrl)) {
    const host = hostName(url);
    const client = await connectTo(url);
    try {
      const { identity, isWritable } = await stateOf(client, host, new Fence());
      if (identity && isWritable && identity.systemIdentifier === systemIdentifier) {
        await acceptServer(client, identity);
        return host;
      }
      if (identity) found.push(`${identity.systemIdentifier} (${host})`);
    } finally {
      client.end().catch(() => undefined);
    }
  }
  throw new DatabaseUnusable(
    `No host of DATABASE_URL that takes writes has the system identifier ${systemIdentifier}, only ${found.join(', ')}.`,
  );
}
