import { useLoad } from '../session/graphql.js';
import { type TargetFragment, Targets } from './documents.js';
import type { TargetKind } from './fields.js';

interface Search {
  realm: string;
  /** nothing: the first ones */
  search?: string | undefined;
  kinds: readonly TargetKind[];
  first?: number;
}

/** An object that was found. */
export interface Target {
  kind: TargetKind;
  id: string;
  /** its path, name, username, or client ID */
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

/** What an object is called. */
export const labelOf = (found: TargetFragment): string =>
  [
    'path' in found && found.path,
    'name' in found && found.name,
    'username' in found && found.username,
    'clientId' in found && found.clientId,
  ].find((name): name is string => typeof name === 'string') ?? found.id;

/** The objects of some kinds that match a text. */
export function useTargets({ realm, search, kinds, first = 20 }: Search, isPaused = false) {
  const isAsked = (kind: TargetKind) => kinds.includes(kind);
  const { data, isLoading } = useLoad(
    Targets,
    {
      realm,
      first,
      ...(search && { search }),
      users: isAsked('user'),
      clients: isAsked('client'),
      groups: isAsked('group'),
      roles: isAsked('role'),
    },
    { isPaused },
  );
  const targets = kinds.flatMap((kind) => (data?.realm?.[`${kind}s`]?.nodes ?? []).map((node) => targetOf(kind, node)));
  return { targets, isLoading };
}
