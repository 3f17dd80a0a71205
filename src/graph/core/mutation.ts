import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import { type GraphQLInputObjectType, type GraphQLResolveInfo, getNamedType } from 'graphql';
import type { z } from 'zod';
import { delegateOf } from '../../database/delegate.js';
import { type Context, within } from '../../services/core/context.js';
import { longestKey } from '../../services/core/idempotency.js';
import { ignoredFields } from '../../services/core/ignored-fields.js';
import type { Managed } from '../../services/core/managed.js';
import type { Write } from '../../services/core/operation.js';
import { type Outcome, performWrite, type WriteOptions } from '../../services/core/perform.js';
import { allFaults, type Fault } from '../../services/core/refusal.js';
import type { RefusalCode } from '../../services/core/refusal-codes.js';
import type { Target } from '../../services/core/target.js';
import { rolledBack } from '../../services/core/unit-of-work.js';
import { performWithAllErrors } from './all-errors.js';
import { badIds } from './bad-ids.js';
import { builder } from './builder.js';
import { shownChanges } from './change-names.js';
import { hidesSecrets } from './disclosure.js';
import { inOrder } from './in-order.js';
import type { FieldOf } from './input-path.js';
import { isSelected } from './is-selected.js';
import { parseId } from './node.js';
import { nothingWritten, Payload, type PayloadValue, refused } from './payload.js';
import { readableRows } from './readable.js';
import { deferringSlowWork, performOnce } from './shared-mutation.js';
import { requireLimits } from './texts.js';
import { UploadedFile } from './uploaded-file.js';
import { declaredCodes, errorsOf, sharedCodes, type UserErrorValue, userErrorsOf } from './user-errors.js';

interface Returned<R> {
  type: { readonly name: string };
  description: string;
  /** ID of the row in the answer; undefined if there is none */
  id?: (result: R) => string | undefined;
  /** IDs of the rows in the answer, if the field is a list */
  ids?: (result: R) => string[];
  /** delegate of the model */
  model: string;
  /** name of the object type of a row, if the type is an interface */
  typename?: (row: never) => string;
}

interface ReturnedValue<R> {
  type: object | string;
  list?: boolean;
  description: string;
  /** whether it is a secret that the write has made: null in a dry run, after which it is not valid */
  isSecret?: true;
  of: (result: R, ctx: Context) => unknown;
}

interface MutationOptions<T extends Target, S extends z.ZodType, R, P, F extends InputFieldMap> {
  description: string;
  operation: Write<T, S, R, P>;
  input: (t: PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>) => F;
  locate: (input: InputShapeFromFields<F>, ctx: Context) => Promise<T>;
  /** the operation's input, in the form of the contract; called after the permission check */
  send?: (input: InputShapeFromFields<F>, ctx: Context, target: T) => unknown;
  /** path of an input field here, for one of the contract; refusals and changes name it */
  fieldOf?: FieldOf;
  /** the paths, if they depend on the input */
  fieldsOf?: (input: InputShapeFromFields<F>) => FieldOf;
  returns?: Record<string, Returned<R>>;
  /** the faults of objects that were left out while others were written */
  leftOut?: (result: R) => readonly Fault[];
  /** whether the payload lists the fields of a file that this version does not support */
  namesIgnored?: true;
  /** codes of the operation that the mutation cannot have, because its input has no field for them */
  never?: readonly RefusalCode[];
  /** further fields of the payload, from the result */
  values?: Record<string, ReturnedValue<R>>;
}

const byOperation = new Map<string, string[]>();

/** Names of the mutations that perform an operation. */
export const mutationsOf = (operation: string): readonly string[] => byOperation.get(operation) ?? [];

const codesByMutation = new Map<string, readonly string[]>();

/** The mutations by name, with the codes that each has besides the codes of all mutations. */
export const codesOfMutations = (): (readonly [string, readonly string[]])[] =>
  [...codesByMutation].toSorted(([one], [other]) => (one < other ? -1 : 1));

interface Common {
  expectedVersion?: number | null;
  idempotencyKey?: string | null;
}

const same: FieldOf = (field) => field;

const isCommon = (field: string) => field === 'expectedVersion' || field === 'idempotencyKey';

/**
 * Declares a mutation on an operation: the input type `<Name>Input` with `expectedVersion` and `idempotencyKey`,
 * the payload `<Name>Payload` with its object and the fields of every payload.
 */
export function mutation<T extends Target, S extends z.ZodType, R, P, F extends InputFieldMap>(
  name: string,
  options: MutationOptions<T, S, R, P, F>,
): void {
  const { operation, fieldOf: fixed = (field: string) => field } = options;
  byOperation.set(operation.name, [...mutationsOf(operation.name), name]);
  const { never = [] } = options;
  const refuses = declaredCodes(operation).filter((code) => !never.includes(code));
  codesByMutation.set(
    name,
    [...refuses, ...(operation.lock || operation.comparesVersions ? ['STALE'] : [])].toSorted(),
  );
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
        extensions: { maxLength: longestKey },
        description:
          'Key chosen by the client. A repeated request with the same key within 24 hours returns the first result and changes nothing. At most 255 characters.',
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
          // Pothos derives the type of the row from a single type, but there are several here
          t.prismaField({
            type: returned.ids ? [returned.type] : returned.type,
            nullable: true,
            description: returned.description,
            resolve: async (query: object, parent: PayloadValue, _args: object, ctx: Context) => {
              const wanted = wantedIds(returned, parent);
              if (!wanted) return null;
              const { ids } = returned;
              const delegate = delegateOf<{ id: string }>(ctx.db, returned.model);
              const found =
                wanted.length === 0 ? [] : await delegate.findMany({ ...query, where: { id: { in: wanted } } });
              const typename = returned.typename ?? (() => returned.type.name);
              const rows = await readableRows(ctx, (row) => typename(row as never), inOrder(found, wanted));
              return ids ? rows : (rows[0] ?? null);
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
            resolve: ({ result }: PayloadValue, _args: object, ctx: Context) =>
              result === undefined || (value.isSecret && hidesSecrets(ctx)) ? null : value.of(result as R, ctx),
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
  const work = async (given: Given, ctx: Context, info: GraphQLResolveInfo): Promise<PayloadValue> => {
    const { paths: ignored, warnings } = ignoredFields(ctx);
    const before = ignored.length;
    const warned = warnings.length;
    const type = info.schema.getType(`${typeName}Input`) as GraphQLInputObjectType;
    const fieldFor = (one: Given): FieldOf => {
      const ofOperation = options.fieldsOf?.(one) ?? fixed;
      return (field) => (isCommon(field) ? field : ofOperation(field));
    };
    const codes = [...refuses, ...sharedCodes];
    // files report all their faults, and a mutation without an object acts on something outside of the database
    const hasFile = Object.values(type.getFields()).some((field) =>
      getNamedType(field.type).name.endsWith('FileInput'),
    );
    const isTriedAgain = !hasFile && Boolean(options.returns ?? options.values);
    let isLocated = false;
    const perform = async (at: Context, one: Given, { showChanges = false, dryRun = false }) => {
      isLocated = false;
      requireLimits(info, { input: one }, 'input');
      const locate = async (located: Context) => {
        const target = await options.locate(one, located);
        isLocated = true;
        return target;
      };
      const send = (target: T) => options.send?.(one, at, target);
      const writing: WriteOptions = {
        showChanges,
        dryRun,
        keepsAdministrator: true,
        ...(!hasUpload(given) && { sent: given }),
        ...(one.expectedVersion != null && { expectedVersion: one.expectedVersion }),
        ...(one.idempotencyKey != null && { idempotencyKey: one.idempotencyKey }),
      };
      return deferringSlowWork(ctx, info.path.key, () => performWrite(at, operation, locate, send, writing));
    };
    const asked = { showChanges: isSelected(info, 'changes') };
    // without a shared transaction, slow work is done before the transaction that is rolled back
    const attempted = (one: Given) =>
      ctx.unit
        ? rolledBack(ctx.unit, (unit) => perform(within(ctx, unit), one, {}))
        : perform(ctx, one, { dryRun: true });
    const { outcome, errors } = await performWithAllErrors<Given, Outcome<R>>(
      {
        type,
        perform: (one) => (ctx.unit ? ctx.unit.part(() => perform(ctx, one, asked)) : perform(ctx, one, asked)),
        ...(isTriedAgain && { probe: ({ idempotencyKey: _, ...one }) => attempted(one as Given) }),
        refused: (error, one) => {
          const fieldOf = fieldFor(one);
          if (isLocated) return userErrorsOf(error, one, { fieldOf, refuses: codes });
          // an object that is not found has a path in the input, even if the operation has a field with the same name
          const own: FieldOf = (field) => ((field.split('.')[0] ?? '') in one ? field : fieldOf(field));
          const errors = userErrorsOf(error, one, { fieldOf: own, refuses: codes });
          const known = new Set(errors.map(({ path }) => path?.join()));
          const ids = errorsOf(allFaults(badIds(info.schema, type, one)), one, { fieldOf: same, refuses: codes });
          return [...errors, ...ids.filter(({ path }) => !known.has(path?.join()))];
        },
        leftOut: ({ result }, one) =>
          errorsOf(options.leftOut?.(result) ?? [], one, { fieldOf: fieldFor(one), refuses: codes }),
        ...(operation.items !== undefined && { items: fixed(operation.items) }),
      },
      given,
    );
    if (!outcome) return { ...refused(errors), ...staleObject(errors, given) };
    const { result, events, changes, replayed, managed } = outcome;
    const fieldOf = fieldFor(given);
    return {
      ...nothingWritten,
      result,
      replayed,
      userErrors: errors,
      adminEvents: events,
      changes: changes ? shownChanges(info.schema, changes, fieldOf) : null,
      warnings: [...(managed ? [managedWarning(managed)] : []), ...new Set(warnings.slice(warned))],
      ignored: ignored.slice(before),
    };
  };
  builder.mutationField(name, (t) =>
    t.field({
      type: payload,
      description: options.description,
      requires: { operation, isChecked: true },
      args: { input: t.arg({ type: input, required: true, description: `Values for \`${name}\`.` }) },
      resolve: (_root, args, ctx, info) =>
        performOnce(ctx, info.path.key, () => work((args as { input: unknown }).input as Given, ctx, info)),
    }),
  );
}

/** Ids of the rows that a field of a payload answers with. Undefined if the mutation was refused and the field has no object. */
function wantedIds<R>({ type, id, ids }: Returned<R>, { result, stale }: PayloadValue): string[] | undefined {
  if (result === undefined) return stale?.typename === type.name && !ids ? [stale.id] : undefined;
  const one = id?.(result as R);
  return ids?.(result as R) ?? (one === undefined ? [] : [one]);
}

/** The object of a mutation that was refused because of its version, so that the caller can compare. */
function staleObject(errors: readonly UserErrorValue[], given: object): Pick<PayloadValue, 'stale'> {
  const id = 'id' in given ? given.id : undefined;
  const isStale = typeof id === 'string' && errors.some(({ code }) => code === 'STALE');
  return isStale ? { stale: parseId(id, 'id') } : {};
}

const managedWarning = ({ source, revision }: Managed): string =>
  `A changed object is described by the file from ${source}${revision === undefined ? '' : `, revision ${revision}`}: the next apply may undo the change.`;

/** Whether the input has an uploaded file: then the content of the file counts as sent. */
const hasUpload = (input: object): boolean =>
  Object.values(input).some((value) => typeof value === 'object' && value?.upload instanceof UploadedFile);
