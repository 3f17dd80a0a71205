import type { TargetKind } from './allow.js';
import type { Context } from './context.js';
import type { AnyWrite } from './operation.js';
import type { Permission } from './permissions.js';
import type { RealmRecord } from './realm.js';
import { type RefusalCode, refusalCodes } from './refusal-codes.js';

/** Codes of refusals that can be predicted from an object before a write is tried. */
const bars = ['ADMINISTRATION', 'BUILT_IN', 'DEFAULT_ROLE', 'EMAIL_MISSING', 'READ_ONLY', 'USER_DISABLED'] as const;

type Bar = ((typeof bars)[number] & RefusalCode) | 'USER_MANAGED';

/** The reason why a caller may not perform an action on an object. */
export type AbilityReason = 'LACKS_PERMISSION' | 'NOT_VISIBLE' | 'BEYOND_OWN_PERMISSIONS' | 'REFUSED_BY_POLICY' | Bar;

/** Every reason with a sentence. */
export const abilityReasons: Readonly<Record<AbilityReason, string>> = {
  LACKS_PERMISSION: 'The caller lacks the permission.',
  NOT_VISIBLE: 'The caller lacks the permission to view the object, or the one by which the mutation finds it.',
  BEYOND_OWN_PERMISSIONS:
    'The object has, gives, or concerns administration roles or fine-grained permissions that the caller does not have.',
  REFUSED_BY_POLICY: 'A policy of the realm refuses it for this object, to all callers.',
  ADMINISTRATION: refusalCodes.ADMINISTRATION,
  BUILT_IN: refusalCodes.BUILT_IN,
  DEFAULT_ROLE: refusalCodes.DEFAULT_ROLE,
  EMAIL_MISSING: refusalCodes.EMAIL_MISSING,
  READ_ONLY: 'The user storage does not accept the change.',
  USER_DISABLED: refusalCodes.USER_DISABLED,
  USER_MANAGED: 'The owner of the resource manages the permission (User-Managed Access).',
};

/** Whether a caller may do something with an object, and why not. */
export interface AbilityAnswer {
  permission: Permission;
  reason: AbilityReason | undefined;
}

/** Something that can be done with objects of a type, by one write. */
export interface AbilityOf<R> {
  operation: AnyWrite;
  /** kind of the target, if the permission depends on it and the type of the object does not determine it */
  kind?: TargetKind;
  /** the smallest input, if it is not an empty object */
  input?: (row: R) => unknown;
  /** the target, if it differs from the target of the other writes */
  target?: (row: R) => object;
  /** whether the write requires all permissions in the realm */
  takesAll?: (row: R) => boolean;
  /** whether it needs separate statements for each object */
  isApart?: true;
  /** refusals of the write that depend on the object alone and concern every caller */
  bars?: Readonly<Partial<Record<Bar, (row: R, realm: RealmRecord, ctx: Context) => boolean | Promise<boolean>>>>;
  /**
   * whether policies allow it for the object, if the write requires more than a permission; evaluated for many objects
   * at once
   */
  isLetBy?: (ctx: Context, realm: RealmRecord, row: R) => Promise<boolean>;
}

/** The possible actions on objects of a type. */
export interface Abilities<R = never, K extends string = string> {
  /** the columns to read of a row, as a Prisma select */
  reads: Readonly<Record<string, unknown>>;
  /** the target of the writes, as far as their entitlement rules need it */
  target: (row: R) => object;
  of: Readonly<Record<K, AbilityOf<R>>>;
}

/** Declares the possible actions on objects of a type: `abilitiesOf<Row>()({ reads, target, of })`. */
export const abilitiesOf =
  <R>() =>
  <K extends string>(abilities: Abilities<R, K>): Abilities<R, K> =>
    abilities;
