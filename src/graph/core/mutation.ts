import type { InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core';
import type { z } from 'zod';
import { type Delegate, delegateOf } from '../../database/delegate.js';
import type { AdminEvent } from '../../services/core/audit.js';
import type { Context } from '../../services/core/context.js';
import { ignoredFields } from '../../services/core/ignored-fields.js';
import type { Write } from '../../services/core/operation.js';
import { performWrite } from '../../services/core/perform.js';
import type { Target } from '../../services/core/target.js';
import { AdminEventRef } from '../events/admin-events.js';
import { builder } from './builder.js';
import { UserError, type UserErrorValue, userErrorOf } from './user-errors.js';

interface PayloadValue {
  result: unknown;
  userErrors: UserErrorValue[];
  adminEvent: AdminEvent | null;
  replayed: boolean;
  /** paths of what a file has and this version does not know */
  ignored?: string[];
}

const Payload = builder.interfaceRef<PayloadValue>('MutationPayload').implement({
  description: 'Result of a mutation.',
  fields: (t) => ({
    userErrors: t.field({
      type: [UserError],
      description: 'Errors in the input. Empty if the mutation succeeded.',
      resolve: (payload) => payload.userErrors,
    }),
    adminEvent: t.field({
      type: AdminEventRef,
      nullable: true,
      description: 'Audit record of the write. Null if nothing was written.',
      resolve: (payload) => payload.adminEvent,
    }),
    replayed: t.exposeBoolean('replayed', {
      description: 'Whether this repeats the result of an earlier request with the same idempotency key.',
    }),
  }),
});

/**
 * The root fields of a mutation that share one transaction. First all of them are performed and nothing is answered; once it
 * is known whether the transaction is kept, the payloads are resolved. So nobody sees what was rolled back.
 */
export interface SharedMutation {
  stage: 'performing' | 'kept' | 'undone';
  failed: boolean;
  /** by response key; throws what the field failed of, where that is no refusal */
  outcomes: Map<string | number, () => PayloadValue>;
}

export const sharedMutations = new WeakMap<object, SharedMutation>();

const aborted = (message: string): PayloadValue => failed({ code: 'ABORTED', field: null, message });

/** Performs a root field of a shared transaction, unless an earlier one failed. */
async function performed(shared: SharedMutation, work: () => Promise<PayloadValue>): Promise<() => PayloadValue> {
  if (shared.failed) return () => aborted('An earlier root field of this mutation failed');
  try {
    const payload = await work();
    shared.failed = payload.userErrors.length > 0;
    return () => payload;
  } catch (error) {
    shared.failed = true;
    return () => {
      throw error;
    };
  }
}

/** Performs a root field, or answers with the outcome of one that shares its transaction with others. */
async function performedOrTold(
  ctx: Context,
  key: string | number,
  work: () => Promise<PayloadValue>,
): Promise<PayloadValue> {
  const shared = sharedMutations.get(ctx);
  if (!shared) return work();
  if (shared.stage === 'performing') {
    shared.outcomes.set(key, await performed(shared, work));
    return untold;
  }
  const outcome = shared.outcomes.get(key)?.() ?? untold;
  const isUndone = shared.stage === 'undone' && outcome.userErrors.length === 0;
  return isUndone ? aborted('Another root field of this mutation failed, so this one was rolled back') : outcome;
}

interface Returned<R> {
  type: ObjectRef<never, unknown> | object;
  description: string;
  /** id of the row to answer with, undefined where there is none */
  id?: (result: R) => string | undefined;
  /** ids of the rows to answer with, where the field is a list of them */
  ids?: (result: R) => string[];
  /** delegate of the model */
  model: string;
}

interface MutationOptions<T extends Target, S extends z.ZodType, R, P, F extends InputFieldMap> {
  description: string;
  operation: Write<T, S, R, P>;
  input: (t: PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>) => F;
  locate: (input: InputShapeFromFields<F>, ctx: Context) => Promise<T>;
  /** the operation's input, in the form of the contract; called once permission is known */
  send?: (input: InputShapeFromFields<F>, ctx: Context, target: T) => unknown;
  /** path of an input field here, for one of the contract; refusals name it */
  fieldOf?: (field: string) => string;
  returns?: Record<string, Returned<R>>;
  /** what the payload tells of a write that was refused as a whole */
  salvage?: (error: unknown) => R | undefined;
  /** whether the payload names what a file has and this version does not know */
  namesIgnored?: true;
  /** further fields of the payload, out of the result */
  values?: Record<string, { type: object | string; list?: boolean; description: string; of: (result: R) => unknown }>;
}

const byOperation = new Map<string, string[]>();

/** Names of the mutations that perform an operation. */
export const mutationsOf = (operation: string): readonly string[] => byOperation.get(operation) ?? [];

interface Common {
  expectedVersion?: number | null;
  idempotencyKey?: string | null;
}

/**
 * Declares a mutation on an operation: the input type `<Name>Input` with `expectedVersion` and `idempotencyKey`,
 * the payload `<Name>Payload` with its object, `userErrors` and `adminEvent`.
 */
export function mutation<T extends Target, S extends z.ZodType, R, P, F extends InputFieldMap>(
  name: string,
  options: MutationOptions<T, S, R, P, F>,
): void {
  const { operation } = options;
  byOperation.set(operation.name, [...mutationsOf(operation.name), name]);
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const input = builder.inputType(`${typeName}Input`, {
    description: `Input of \`${name}\`.`,
    fields: (t) => ({
      ...options.input(t),
      ...(operation.lock && {
        expectedVersion: t.int({
          description:
            'Version the object must have. Otherwise the mutation is refused with the code `STALE`. Omit to skip the check.',
        }),
      }),
      idempotencyKey: t.string({
        description:
          'Key chosen by the client. A repeated request with the same key within 24 hours returns the first result and changes nothing.',
      }),
    }),
  });
  const payload = builder.objectRef<PayloadValue>(`${typeName}Payload`).implement({
    description: `Result of \`${name}\`.`,
    interfaces: [Payload],
    fields: (t) => ({
      ...Object.fromEntries(
        Object.entries(options.returns ?? {}).map(([field, returned]) => [
          field,
          // Pothos derives the type of the row from a single type, and here there are several
          t.prismaField({
            type: returned.ids ? [returned.type] : returned.type,
            nullable: true,
            description: returned.description,
            resolve: (query: object, parent: PayloadValue, _args: object, ctx: Context) => {
              if (parent.result === undefined) return null;
              const delegate = delegateOf<{ id: string }>(ctx.db, returned.model);
              if (returned.ids) return inOrder(delegate, query, returned.ids(parent.result as R));
              const id = returned.id?.(parent.result as R);
              return id === undefined ? null : delegate.findUnique({ ...query, where: { id } });
            },
          } as never),
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(options.values ?? {}).map(([field, value]) => [
          field,
          // as above
          t.field({
            type: value.list ? [value.type] : value.type,
            nullable: true,
            description: value.description,
            resolve: ({ result }: PayloadValue) => (result === undefined ? null : value.of(result as R)),
          } as never),
        ]),
      ),
      ...(options.namesIgnored && {
        ignoredFields: t.stringList({
          description: 'Paths of the fields in the file that this version does not support and ignored. At most 100.',
          resolve: ({ ignored }) => ignored ?? [],
        }),
      }),
    }),
  });
  type Given = InputShapeFromFields<F> & Common;
  const work = async (given: Given, ctx: Context): Promise<PayloadValue> => {
    const ignored = ignoredFields(ctx).paths;
    const before = ignored.length;
    try {
      const { result, event, replayed } = await performWrite(
        ctx,
        operation,
        (at) => options.locate(given, at),
        (target: T) => options.send?.(given, ctx, target),
        {
          ...(!hasUpload(given) && { sent: given }),
          ...(given.expectedVersion != null && { expectedVersion: given.expectedVersion }),
          ...(given.idempotencyKey != null && { idempotencyKey: given.idempotencyKey }),
        },
      );
      return { result, replayed, userErrors: [], adminEvent: event ?? null, ignored: ignored.slice(before) };
    } catch (error) {
      return { ...failed(userErrorOf(error, options.fieldOf)), result: options.salvage?.(error) };
    }
  };
  builder.mutationField(name, (t) =>
    t.field({
      type: payload,
      description: options.description,
      requires: { operation, isChecked: true },
      args: { input: t.arg({ type: input, required: true, description: `Values for \`${name}\`.` }) },
      resolve: (_root, args, ctx, { path }) =>
        performedOrTold(ctx, path.key, () => work((args as { input: unknown }).input as Given, ctx)),
    }),
  );
}

/** Whether a file came with the input: then what it holds is what was sent. */
const hasUpload = (input: object): boolean => 'upload' in input && input.upload != null;

/** Rows in the order of their ids; those that were deleted are left out. */
async function inOrder(
  delegate: Delegate<{ id: string }>,
  query: { select?: object },
  ids: string[],
): Promise<{ id: string }[]> {
  if (ids.length === 0) return [];
  const rows = await delegate.findMany({ ...query, where: { id: { in: ids } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A payload before its field may be answered. */
const untold: PayloadValue = { result: undefined, userErrors: [], adminEvent: null, replayed: false };

const failed = (error: UserErrorValue): PayloadValue => ({ ...untold, userErrors: [error] });
