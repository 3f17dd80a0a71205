import type { AdminEvent } from '../../services/core/audit.js';
import type { ObjectChange } from '../../services/core/changes.js';
import { AdminEventRef, ChangeRef } from '../events/admin-events.js';
import { builder } from './builder.js';
import type { NodeId } from './node.js';
import { UserError, type UserErrorValue } from './user-errors.js';

/** The answer of every mutation. */
export interface PayloadValue {
  result: unknown;
  userErrors: readonly UserErrorValue[];
  /** whether nothing was written; a mutation of many objects may have errors although it wrote others */
  isRefused: boolean;
  adminEvents: readonly AdminEvent[];
  /** the object that the input names, if the mutation was refused because it has another version than expected */
  stale?: NodeId;
  /** null in a repeated answer */
  changes: readonly ObjectChange[] | null;
  replayed: boolean;
  /** warnings to the caller although nothing was refused */
  warnings: readonly string[];
  /** paths of fields in a file that this version does not support */
  ignored?: string[];
}

/** A payload of a mutation that has written nothing. */
export const nothingWritten: PayloadValue = {
  result: undefined,
  userErrors: [],
  isRefused: false,
  adminEvents: [],
  changes: [],
  replayed: false,
  warnings: [],
};

/** The payload of a mutation that was refused. */
export const refused = (userErrors: readonly UserErrorValue[]): PayloadValue => ({
  ...nothingWritten,
  userErrors,
  isRefused: true,
});

export const Payload = builder.interfaceRef<PayloadValue>('MutationPayload').implement({
  description: 'Result of a mutation.',
  fields: (t) => ({
    userErrors: t.field({
      type: [UserError],
      description: 'All errors in the input. Empty if the mutation succeeded.',
      resolve: (payload) => payload.userErrors,
    }),
    adminEvents: t.field({
      type: [AdminEventRef],
      description: 'Audit records of the mutation, one for each written object. Empty if nothing was written.',
      resolve: (payload) => payload.adminEvents,
    }),
    changes: t.field({
      type: [ChangeRef],
      nullable: true,
      description:
        'Fields of the written objects that differ from before; with `@dryRun`, those that would. Null for a repeated result.',
      resolve: (payload) => payload.changes,
    }),
    warnings: t.stringList({
      description:
        'What the caller should know although the mutation succeeded: that a file describes a changed object (`Realm.managed`), so that the next apply may undo the change, or that a setting of the input has no effect.',
      resolve: ({ warnings }) => [...warnings],
    }),
    isReplayed: t.exposeBoolean('replayed', {
      description: 'Whether this repeats the result of an earlier request with the same idempotency key.',
    }),
  }),
});
