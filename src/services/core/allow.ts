import type { Permission } from './permissions.js';
import type { VisibleKind } from './ports.js';

/**
 * Kinds of targets of operations. An operation with several kinds of targets may require another permission for each.
 */
export const targetKinds = [
  'realm role',
  'client role',
  'user',
  'group',
  'client',
  'identity provider',
  'all users',
] as const;

export type TargetKind = (typeof targetKinds)[number];

/** A permission that depends on the kind of the target: a function of the target that also lists the permission of each kind. */
export interface PermissionByKind<T> {
  (target: T): Permission;
  readonly byKind: Readonly<Partial<Record<TargetKind, Permission>>>;
}

/** The permission that an operation requires. */
export type Allow<T> = Permission | PermissionByKind<T>;

/** Declares permissions by the kind of the target: `permissionBy(kindOf)({ user: 'view:users', group: 'view:groups' })`. */
export const permissionBy =
  <T, K extends TargetKind>(kindOf: (target: T) => K) =>
  (byKind: Readonly<Record<K, Permission>>): PermissionByKind<T> =>
    Object.assign((target: T) => byKind[kindOf(target)], { byKind });

/** The permission to view all objects of a kind. */
export const viewPermission = (kind: VisibleKind) => `view:${kind}` as const;

/** The part of an operation that states its required permission. */
export interface Allowing {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: the permission can be told without the target
  readonly allow: Allow<any>;
}

/** A permission that an operation requires; with a kind if it applies to one kind of target. */
export interface RequiredPermission {
  permission: Permission;
  kind?: TargetKind;
}

/** The permissions that an operation requires: one, or one for each kind of target. */
export function requiredPermissions({ allow }: Pick<Allowing, 'allow'>): RequiredPermission[] {
  if (typeof allow === 'string') return [{ permission: allow }];
  return targetKinds.flatMap((kind) => {
    const permission = allow.byKind[kind];
    return permission === undefined ? [] : [{ permission, kind }];
  });
}

/** The permission that an operation requires for a kind of target. */
export function permissionFor({ name, allow }: Allowing, kind?: TargetKind): Permission {
  const permission = typeof allow === 'string' ? allow : kind && allow.byKind[kind];
  if (permission === undefined) throw new Error(`${name} has no permission for ${kind ?? 'targets of any kind'}`);
  return permission;
}

/** The permission that an operation requires on a target. */
export const permissionOf = <T>(operation: { allow: Allow<T> }, target: T): Permission =>
  typeof operation.allow === 'function' ? operation.allow(target) : operation.allow;

/** A kind of target as sentences name it: `a realm role`. */
export const withArticle = (kind: TargetKind): string =>
  kind === 'all users' ? kind : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;

/** Required permissions as a phrase, e.g. "`view:realm` for a realm role, `view:clients` for a client role". */
export const permissionText = (required: readonly RequiredPermission[]): string =>
  required.map(({ permission, kind }) => `\`${permission}\`${kind ? ` for ${withArticle(kind)}` : ''}`).join(', ');
