import { useLoad } from '../session/graphql.js';
import { type Permission, Shell } from './documents.js';

export type { Permission };

/** The frame's data: who the caller is, which realms there are, and what he may do in this one. */
export const useShell = (realm: string) => useLoad(Shell, { realm }, { isShared: true });

/** Whether the caller has a permission in the realm. False until it is known. */
export function useMay(realm: string): (permission: Permission) => boolean {
  const { data } = useShell(realm);
  const held = new Set(
    data?.viewer.permissions.flatMap(({ permissions }) => permissions.map(({ permission }) => permission)),
  );
  return (permission) => held.has(permission);
}
