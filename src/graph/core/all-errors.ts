import type { GraphQLInputType } from 'graphql';
import { Refusal } from '../../services/core/refusal.js';
import { type Pruned, pruned } from './pruned-input.js';
import type { UserErrorValue } from './user-errors.js';

/** A write that can be tried with other inputs. `perform` and `probe` throw the refusal. */
export interface Trial<I extends object, O> {
  type: GraphQLInputType;
  perform: (input: I) => Promise<O>;
  /** performs and rolls back; undefined if a refused write is not tried again */
  probe?: ((input: I) => Promise<O>) | undefined;
  /** the errors of a refusal; throws any other error */
  refused: (error: unknown, input: I) => UserErrorValue[];
  /** the errors of the items that a batch left out */
  leftOut: (outcome: O, input: I) => UserErrorValue[];
  /** the field with the items that are left out if one of them is refused */
  items?: string | undefined;
}

/** How often a refused input is tried again without the parts that were refused. */
const mostTries = 3;

/** Codes of errors after which the rest of an input is not checked. */
const final = new Set<UserErrorValue['code']>([
  'ABORTED',
  'BUSY',
  'FORBIDDEN',
  'IDEMPOTENCY_KEY_REUSED',
  'LAST_ADMIN',
  'MANAGED',
  'TOO_COSTLY',
  'TOO_LARGE',
]);

/** Whether a write was refused only because its transaction will be rolled back. */
const isOfSharing = (error: unknown): boolean => error instanceof Refusal && error.details.isOfSharing === true;

/**
 * Maps errors to their paths in the whole input. Errors of removed parts are left out, because they follow from the
 * removal. So may be errors without a path and a reason, and errors of unwritable parts that were not sent.
 */
const inWhole = (errors: readonly UserErrorValue[], { original, isGiven }: Pruned<object>): UserErrorValue[] =>
  errors.flatMap((error) => {
    if (error.path === null) return error.code === 'INVALID' ? [] : [error];
    const path = original(error.path);
    if (error.code === 'READ_ONLY' && path && !isGiven(path)) return [];
    return path ? [{ ...error, path }] : [];
  });

/**
 * All errors of a refused input. An operation stops at its first failed check. So the input is tried again without the
 * refused parts, in transactions that are rolled back.
 */
async function allErrors<I extends object, O>(
  { type, probe, refused, leftOut }: Trial<I, O>,
  input: I,
  first: readonly UserErrorValue[],
): Promise<UserErrorValue[]> {
  const found = new Map(first.map((error) => [JSON.stringify(error), error]));
  for (let tries = 0; probe && tries < mostTries; tries += 1) {
    const known = [...found.values()];
    const paths = known.flatMap(({ code, path }) => (path && !final.has(code) ? [path] : []));
    const rest = paths.length === known.length ? pruned(input, type, paths) : undefined;
    if (!rest) break;
    const errors = await probe(rest.input).then(
      (outcome) => leftOut(outcome, rest.input),
      (error: unknown) => (isOfSharing(error) ? [] : refused(error, rest.input)),
    );
    for (const error of inWhole(errors, rest)) found.set(JSON.stringify(error), error);
    if (found.size === known.length) break;
  }
  return [...found.values()];
}

/**
 * Performs a write and returns its outcome, which is undefined if it is refused, with all errors of the input. A batch that continues
 * after an error is performed without the items that are refused.
 */
export async function performWithAllErrors<I extends object & { onError?: unknown }, O>(
  trial: Trial<I, O>,
  input: I,
): Promise<{ outcome?: O; errors: UserErrorValue[] }> {
  const { type, perform, refused, leftOut, items } = trial;
  let rest: Pruned<I> = { input, original: (path) => [...path], isGiven: () => true };
  let known: UserErrorValue[] = [];
  for (let tries = 0; ; tries += 1) {
    try {
      const outcome = await perform(rest.input);
      return { outcome, errors: [...known, ...inWhole(leftOut(outcome, rest.input), rest)] };
    } catch (error) {
      const errors = refused(error, rest.input);
      known = await allErrors(trial, input, tries === 0 ? errors : [...known, ...inWhole(errors, rest)]);
    }
    const places = known.flatMap(({ path }) =>
      path && path[0] === items && path.length > 1 ? [path.slice(0, 2)] : [],
    );
    const isOfItems = input.onError === 'CONTINUE' && places.length === known.length && tries < mostTries;
    const next = isOfItems ? pruned(input, type, places) : undefined;
    if (!next) return { errors: known };
    rest = next;
  }
}
