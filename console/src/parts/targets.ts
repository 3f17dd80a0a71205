import { nodeOf, useLoad } from '../session/graphql.js';
import { useMay } from '../shell/areas.js';
import { AvailableRoles, type ClientProtocol, type TargetFragment, Targets, type TargetsQuery } from './documents.js';
import { nameIn } from './object-name.js';
import { lists, type TargetKind } from './target-kinds.js';

interface Search {
  realm: string;
  /** nothing: the first ones */
  search?: string | undefined;
  kinds: readonly TargetKind[];
  /** of client scopes */
  protocol?: ClientProtocol | null | undefined;
  first?: number;
  /** of roles: the user or group that is to get one */
  owner?: string | undefined;
}

/** An object that was found. */
export interface Target {
  kind: TargetKind;
  id: string;
  /** its path, name, username, client ID, or alias */
  label: string;
  email: string | null;
  /** of users and clients */
  isEnabled: boolean | undefined;
}

/** An object of a kind that was found. */
const targetOf = (kind: TargetKind, found: TargetFragment): Target => ({
  kind,
  id: found.id,
  label: labelOf(found),
  email: 'email' in found ? found.email : null,
  isEnabled: 'isEnabled' in found ? found.isEnabled : undefined,
});

/** Whether a name has what was typed. */
export const contains = (name: string | null, typed = ''): boolean =>
  (name ?? '').toLowerCase().includes(typed.toLowerCase());

/** The name of a role, after that of its client if it has one. */
export const roleLabel = ({ name, client }: { name: string; client: { clientId: string } | null }): string =>
  client ? `${client.clientId} · ${name}` : name;

/** What an object is called. */
export function labelOf(found: TargetFragment): string {
  const name = nameIn(found) ?? found.id;
  return 'client' in found ? roleLabel({ name, client: found.client }) : name;
}

/** The roles that a search has found by their names, and by those of their clients. */
function foundRoles(realm: TargetsQuery['realm'] | undefined): TargetFragment[] {
  const ofClients = realm?.roleClients?.nodes.flatMap(({ roles }) => roles?.nodes ?? []) ?? [];
  const roles = [...(realm?.allRoles?.nodes ?? []), ...ofClients];
  return [...new Map(roles.map((role) => [role.id, role])).values()];
}

/** The objects of some kinds that match a text. */
export function useTargets({ realm, search, kinds, protocol, first = 20, owner }: Search, isPaused = false) {
  const may = useMay(realm);
  const isAsked = (kind: TargetKind) => kinds.includes(kind);
  const isOfOwner = owner !== undefined && !may('QUERY_REALM');
  const available = useLoad(
    AvailableRoles,
    { owner: owner ?? '', first, ...(search && { search }) },
    { isPaused: isPaused || !isOfOwner },
  );
  // without a search, the roles of the realm itself are the first ones
  const withClients = isAsked('role') && Boolean(search) && may('LIST_CLIENT_ROLES');
  const [client, ...rest] = search?.split(/[\s·]+/) ?? [];
  const { data, isLoading } = useLoad(
    Targets,
    {
      realm,
      first,
      ...(search && { search }),
      scopes: { ...(search && { name: { contains: search } }), ...(protocol && { protocol }) },
      users: isAsked('user'),
      clients: isAsked('client'),
      groups: isAsked('group'),
      roles: isAsked('role') && !withClients && !isOfOwner,
      allRoles: withClients,
      clientRoles: withClients && may('QUERY_CLIENTS') && Boolean(client),
      ...(client && { client, role: rest.join(' ') }),
      clientScopes: isAsked('clientScope'),
      identityProviders: isAsked('identityProvider'),
      userStorages: isAsked('directory'),
      webhooks: isAsked('webhook'),
      flows: isAsked('flow'),
    },
    { isPaused },
  );
  const found = (kind: TargetKind): readonly TargetFragment[] => {
    if (kind === 'role' && isOfOwner) return nodeOf(available.data?.node)?.availableRoles?.nodes ?? [];
    if (kind === 'role' && withClients) return foundRoles(data?.realm);
    const list = data?.realm?.[lists[kind]] ?? [];
    return 'nodes' in list ? list.nodes : list;
  };
  const targets = kinds.flatMap((kind) => found(kind).map((node) => targetOf(kind, node)));
  // directories are listed as a whole
  return {
    targets: targets.filter(({ kind, label }) => kind !== 'directory' || contains(label, search)),
    isLoading: isLoading || available.isLoading,
  };
}
