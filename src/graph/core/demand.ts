import {
  type Allowing,
  permissionFor,
  permissionText,
  type RequiredPermission,
  requiredPermissions,
  type TargetKind,
} from '../../services/core/allow.js';
import type { Permission } from '../../services/core/permissions.js';

/** The answer of a field to callers without the permission. */
type Otherwise = 'REFUSED' | 'NULL' | 'FILTERED' | 'EMPTY';

/**
 * Returns the kind of an object. It is a method, so that requirements of one type are assignable to requirements of any
 * type.
 */
interface KindOf<P> {
  kindOf(parent: P): TargetKind;
}

/** An operation of the services whose permission a field requires, with further conditions. */
export interface Demand<P> {
  operation: Allowing;
  /** kind of the target, if the permission depends on it; a function if that depends on the object of the field */
  kind?: TargetKind | KindOf<P>['kindOf'];
  /** the kinds that the function returns, if the operation has permissions for others too */
  kinds?: readonly TargetKind[];
  /** REFUSED by default */
  otherwise?: Otherwise;
  /** whether only roles count, and not management permissions about the object */
  byRolesAlone?: true;
  /** whether the resolver checks the permission itself, for example by performing the operation */
  isChecked?: true;
}

/** The operations whose permissions a field requires. All are required. */
export type Requires<P> = Allowing | Demand<P> | readonly (Allowing | Demand<P>)[];

/** A requirement of a field, as the schema states it. */
export interface Requirement extends RequiredPermission {
  operation: string;
  otherwise: Otherwise;
}

const isList = <P>(requires: Requires<P>): requires is readonly (Allowing | Demand<P>)[] => Array.isArray(requires);

/** The declared requirements of a field, in their long form. */
export const demandsOf = <P>(requires: Requires<P>): Demand<P>[] =>
  (isList(requires) ? requires : [requires]).map((one) => ('operation' in one ? one : { operation: one }));

/** The permission that a requirement means for an object. */
export const demandedOf = <P>({ operation, kind }: Demand<P>, parent: P): Permission =>
  permissionFor(operation, typeof kind === 'function' ? kind(parent) : kind);

function requirementsOfOne<P>({ operation, kind, kinds, otherwise = 'REFUSED' }: Demand<P>): Requirement[] {
  const { name } = operation;
  if (typeof kind === 'string') return [{ operation: name, permission: permissionFor(operation, kind), otherwise }];
  return requiredPermissions(operation)
    .filter((required) => required.kind === undefined || !kinds || kinds.includes(required.kind))
    .map((required) => ({ operation: name, ...required, otherwise }));
}

/** The requirements of a field, as the schema states them. */
export const requirementsOf = <P>(requires: Requires<P>): Requirement[] =>
  demandsOf(requires).flatMap(requirementsOfOne);

const sentences: Record<Otherwise, (permissions: string) => string> = {
  REFUSED: (permissions) => `Requires ${permissions}.`,
  NULL: (permissions) => `Null if the caller lacks ${permissions}.`,
  FILTERED: (permissions) =>
    `If the caller lacks ${permissions}: only what management permissions let the caller view.`,
  EMPTY: (permissions) => `Empty if the caller lacks ${permissions}.`,
};

/** The last sentences of a description: introspection does not show directives. */
export function requirementText(requirements: readonly Requirement[]): string {
  const otherwises = [...new Set(requirements.map(({ otherwise }) => otherwise))];
  return otherwises
    .map((otherwise) => {
      const own = requirements.filter((requirement) => requirement.otherwise === otherwise);
      const operations = [...new Set(own.map(({ operation }) => operation))];
      const texts = operations.map((name) => permissionText(own.filter(({ operation }) => operation === name)));
      // a field that requires all of them refuses callers who lack any one
      return sentences[otherwise]([...new Set(texts)].join(otherwise === 'REFUSED' ? ' and ' : ' or '));
    })
    .join(' ');
}
