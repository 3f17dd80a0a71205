import { useLoad } from '../session/graphql.js';
import { type ClientProtocol, type TargetFragment, Targets } from './documents.js';
import { nameIn } from './object-name.js';

interface Search {
  realm: string;
  /** nothing: the first ones */
  search?: string | undefined;
  kinds: readonly TargetKind[];
  /** of client scopes */
  protocol?: ClientProtocol | null | undefined;
  first?: number;
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

/** Where the API has the objects of each kind. */
const lists = {
  user: 'users',
  client: 'clients',
  group: 'groups',
  role: 'roles',
  clientScope: 'clientScopes',
  identityProvider: 'identityProviders',
  directory: 'userStorages',
  flow: 'authenticationFlows',
  webhook: 'webhooks',
} as const;

/** What can be chosen by a search. */
export type TargetKind = keyof typeof lists;

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

/** What an object is called. */
export const labelOf = (found: TargetFragment): string => nameIn(found) ?? found.id;

/** The objects of some kinds that match a text. */
export function useTargets({ realm, search, kinds, protocol, first = 20 }: Search, isPaused = false) {
  const isAsked = (kind: TargetKind) => kinds.includes(kind);
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
      roles: isAsked('role'),
      clientScopes: isAsked('clientScope'),
      identityProviders: isAsked('identityProvider'),
      userStorages: isAsked('directory'),
      webhooks: isAsked('webhook'),
      flows: isAsked('flow'),
    },
    { isPaused },
  );
  const targets = kinds.flatMap((kind) => {
    const found = data?.realm?.[lists[kind]] ?? [];
    return ('nodes' in found ? found.nodes : found).map((node) => targetOf(kind, node));
  });
  // directories are listed as a whole
  return { targets: targets.filter(({ kind, label }) => kind !== 'directory' || contains(label, search)), isLoading };
}
