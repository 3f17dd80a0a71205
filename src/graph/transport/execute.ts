import {
  DirectiveLocation,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLDirective,
  GraphQLError,
  type OperationDefinitionNode,
  subscribe,
} from 'graphql';
import { countingStatements } from '../../database/statements.js';
import { type Context, within } from '../../services/core/context.js';
import { type DeferredWork, deferredWork } from '../../services/core/deferred-work.js';
import { inUnitOfWork } from '../../services/core/unit-of-work.js';
import { administersAny } from '../../services/realms/visible.js';
import { type SharedMutation, sharedMutations } from '../core/shared-mutation.js';
import { codeOf } from '../core/user-errors.js';
import { operationOf } from './asked.js';
import { actualCost, costOf, overLimit } from './cost.js';
import { introspectionLimits, requestsOnlySchema } from './introspection.js';
import { holding, type Leave, noPlace, type Places } from './places.js';
import { coercedVariables } from './variables.js';

export const atomicDirective = new GraphQLDirective({
  name: 'atomic',
  description: 'Runs all root fields of the mutation in one transaction. If one fails, all are rolled back.',
  locations: [DirectiveLocation.MUTATION],
});

export const dryRunDirective = new GraphQLDirective({
  name: 'dryRun',
  description:
    'Runs the mutation in a transaction that is rolled back, and returns the result it would have. A refused root field changes the result of the others only together with `@atomic`.',
  locations: [DirectiveLocation.MUTATION],
});

/** The context of a request without a token: it may only request the schema, which is not secret. */
export const anonymous = {} as Context;

const has = (operation: OperationDefinitionNode | undefined, directive: GraphQLDirective): boolean =>
  operation?.directives?.some(({ name }) => name.value === directive.name) ?? false;

const unauthenticated = (): ExecutionResult => {
  const extensions = { code: 'UNAUTHENTICATED', http: { status: 401 } };
  return { errors: [new GraphQLError('A valid bearer token is required', { extensions })] };
};

/**
 * The context of a subscription. Its `stopping` signal also aborts when the subscriber leaves. Otherwise a waiting
 * stream would learn of that only with its next event, which may never come.
 */
function untilLeft(ctx: Context): { ctx: Context; leave: Leave } {
  const { stopping } = ctx.services;
  const own = new AbortController();
  const end = (): void => own.abort();
  if (stopping.aborted) end();
  stopping.addEventListener('abort', end);
  const leave = (): void => {
    stopping.removeEventListener('abort', end);
    end();
  };
  return { ctx: { ...ctx, services: { ...ctx.services, stopping: own.signal } }, leave };
}

/**
 * Begins a subscription, within the limits of a request for each event, if there is a place for it. A subscription over
 * a separate connection takes a place of the address as well.
 */
export async function subscribeRequest(
  args: ExecutionArgs,
  places: Places,
  ownConnection: boolean,
): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult> {
  const ctx = args.contextValue as Context;
  if (ctx.services === undefined) return unauthenticated();
  const variables = coercedVariables(args);
  if (variables.error) return { errors: [variables.error] };
  const cost = costOf(args, ctx, variables.coerced);
  const problem = overLimit(cost);
  if (problem) return { errors: [problem], extensions: { cost } };
  const held: Leave[] = [];
  const leave = (): void => {
    for (const one of held) one();
  };
  const take = (place: Leave | undefined): boolean => place !== undefined && held.push(place) > 0;
  if (!take(places.subscription(ctx.caller.userId)))
    return { errors: [noPlace('Too many subscriptions of this user')] };
  if (ownConnection && !take(places.connection(ctx.ipAddress))) {
    leave();
    return { errors: [noPlace('Too many connections from this IP address')] };
  }
  const subscriber = untilLeft(ctx);
  held.push(subscriber.leave);
  const stream = await subscribe({ ...args, contextValue: subscriber.ctx }).catch((error: unknown) => {
    leave();
    throw error;
  });
  if (Symbol.asyncIterator in stream) return holding(stream, leave);
  leave();
  return stream;
}

/** Executes a request within its limits, and a mutation marked @atomic or @dryRun in one transaction. */
export async function executeRequest(args: ExecutionArgs): Promise<ExecutionResult> {
  const ctx = args.contextValue as Context;
  const operation = operationOf(args.document, args.operationName);
  // the server adds its own members, so it is not the same object
  if (ctx.services === undefined) {
    if (!requestsOnlySchema(operation)) return unauthenticated();
    const error = introspectionLimits(args.schema).checkAnonymous(args.document);
    return error ? { errors: [error] } : ((await execute(args)) as ExecutionResult);
  }
  const refusal = await introspectionRefusal(args, ctx);
  if (refusal) return { errors: [refusal] };
  const variables = coercedVariables(args);
  if (variables.error) return { errors: [variables.error] };
  const cost = costOf(args, ctx, variables.coerced);
  const problem = overLimit(cost);
  if (problem) return { errors: [problem], extensions: { cost } };
  const [dryRun, isAtomic] = [dryRunDirective, atomicDirective].map((directive) => has(operation, directive));
  const { result, statements } = await countingStatements(async () =>
    operation?.operation === 'mutation' && (dryRun || isAtomic)
      ? await executeTogether(args, ctx, { dryRun: dryRun === true, isApart: !isAtomic })
      : ((await execute(args)) as ExecutionResult),
  );
  const actual = actualCost(args, result.data);
  return { ...result, extensions: { ...result.extensions, cost: { ...cost, actual, statements } } };
}

/** The reason to refuse the introspection in a document of a caller with a token. */
async function introspectionRefusal(
  { document, schema }: ExecutionArgs,
  ctx: Context,
): Promise<GraphQLError | undefined> {
  const introspection = introspectionLimits(schema);
  if (!introspection.asks(document)) return undefined;
  if (ctx.services.config.graphqlIntrospection === 'administrators' && !(await administersAny(ctx))) {
    const extensions = { code: codeOf('forbidden'), http: { status: 403 } };
    return new GraphQLError('Introspection is available only to administrators', { extensions });
  }
  return introspection.check(document);
}

/** Carries an answer out of a transaction that must be rolled back. */
class RolledBack extends Error {
  readonly result: ExecutionResult;
  constructor(result: ExecutionResult) {
    super('rolled back');
    this.result = result;
  }
}

/** The answer of a committed mutation, with the failure of an effect such as an email as an additional error. */
const withFailure = (originalError: unknown, answer: ExecutionResult): ExecutionResult => ({
  ...answer,
  errors: [new GraphQLError('An effect failed', originalError instanceof Error ? { originalError } : {})],
});

/** Rolls a transaction back that begins again once slow work is done. */
class BeginsAgain extends Error {
  /** whether only that work is done which decides on the result */
  readonly decisive: boolean;
  constructor(decisive: boolean) {
    super('begins again');
    this.decisive = decisive;
  }
}

interface Together {
  dryRun: boolean;
  /** whether a root field that fails does not undo the others */
  isApart: boolean;
}

/**
 * Executes a mutation in one transaction. Passwords are hashed, and other servers called, while the transaction is not
 * open; the mutation is then executed again.
 */
async function executeTogether(args: ExecutionArgs, ctx: Context, together: Together): Promise<ExecutionResult> {
  const deferred = deferredWork();
  for (;;) {
    try {
      return await executeOnce(args, ctx, { ...together, deferred });
    } catch (error) {
      if (!(error instanceof BeginsAgain)) throw error;
      await deferred.settle(error);
    }
  }
}

async function executeOnce(
  args: ExecutionArgs,
  ctx: Context,
  { dryRun, isApart, deferred }: Together & { deferred: DeferredWork },
): Promise<ExecutionResult> {
  try {
    return await inUnitOfWork(
      ctx.services,
      async (unit) => {
        deferred.begin();
        const outcomes: SharedMutation['outcomes'] = new Map();
        const shared: SharedMutation = {
          stage: 'performing',
          failed: false,
          isIncomplete: false,
          isApart,
          unit,
          deferred,
          outcomes,
        };
        const pass = async (stage: SharedMutation['stage']) => {
          // values that one stage caches must not be used by the next one
          const contextValue = within(ctx, unit);
          shared.stage = stage;
          sharedMutations.set(contextValue, shared);
          return (await execute({ ...args, contextValue })) as ExecutionResult;
        };
        const { errors } = await pass('performing');
        // a transaction that is, or may be, rolled back needs only the work that decides on its answer
        const decisive = dryRun || shared.failed || shared.isIncomplete || Boolean(errors?.length);
        if (deferred.isOpen({ decisive })) throw new BeginsAgain(decisive);
        if (isApart) return pass('kept');
        if (shared.failed || errors?.length) throw new RolledBack(await pass('undone'));
        const answer = await pass('kept');
        if (answer.errors?.length) throw new RolledBack({ ...(await pass('undone')), errors: answer.errors });
        return answer;
      },
      { dryRun, failed: withFailure },
    );
  } catch (error) {
    if (error instanceof RolledBack) return error.result;
    throw error;
  }
}
