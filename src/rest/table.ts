import { z } from 'zod';
import { delegateOf } from '../database/delegate.js';
import { inTurns } from '../database/turns.js';
import { type Answer, json, noContent, tagged } from '../http/answer.js';
import { marked, optionsOf } from '../http/write-headers.js';
import { type RequiredPermission, requiredPermissions, type TargetKind } from '../services/core/allow.js';
import type { Context } from '../services/core/context.js';
import type { Listing, Operation, Read, Write } from '../services/core/operation.js';
import { perform, performList, performWrite } from '../services/core/perform.js';
import { permitFor } from '../services/core/permit.js';
import type { Permit } from '../services/core/ports.js';
import { whilePresent } from '../services/core/presence.js';
import type { Target } from '../services/core/target.js';
import type { View } from '../services/core/view.js';
import type { Params, Place, Places } from './place.js';
import { flagParameter, type RestRequest } from './request.js';

/** A row of the table: what the router, the OpenAPI document and the refusal matrix are made of. */
export interface Route {
  method: string;
  /** documented path, from `/{realm}` on; empty where the documents have none */
  path: string;
  /** path after `/auth/admin` where it is not that of the admin mount */
  admin?: string;
  operation: Operation;
  /** kinds of what the operation works on at this address, where its permission depends on that */
  kinds?: readonly TargetKind[];
  /** names of the query parameters */
  query: string[];
  returns?: { shape: z.ZodType; list: boolean };
  /** media type of the answer where it is not JSON */
  media?: string;
  status: number;
  /** failures that the contract knows of, in words, by their status */
  failures?: Readonly<Record<number, string>>;
  /** bodies may be as large as the limit for imports */
  large?: boolean;
  /** what is read of the body; undefined for nothing */
  takes?: Takes;
  /** answers with a file of another type than JSON, whatever the sender says that it takes */
  file?: boolean;
  /** how whoami answers: a refusal of the token has no body, and pages of other origins see no headers */
  console?: boolean;
  /** Finds what the operation works on; throws its 404. */
  locate(ctx: Context, params: Params): Promise<unknown>;
  handle(request: RestRequest): Promise<Answer>;
}

export interface Paging {
  skip?: number;
  take?: number;
}

/** The permissions that the operation of a route requires at its address: one, or one for each kind of what lies there. */
export function requiredAt({ operation, kinds }: Pick<Route, 'operation' | 'kinds'>): RequiredPermission[] {
  const required = requiredPermissions(operation);
  const here = required.filter(({ kind }) => kind === undefined || kinds?.includes(kind));
  if (here.length === 0) throw new Error(`The places of ${operation.name} do not declare the kind of its target`);
  const [first] = here;
  return here.length === 1 && first ? [{ permission: first.permission }] : here;
}

interface ListForm<Row> {
  brief?: View<Row>;
  full: View<Row>;
  /** whether the brief form is the default, where there is one */
  briefByDefault?: boolean;
  /** the operation's input out of the query string */
  input?: (request: RestRequest) => unknown;
  paging: (query: URLSearchParams) => Paging;
  query?: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: a view's row type is bound to its select, which the table cannot see
type AnyView = View<any>;

const routes = <T>(
  places: Places<T>,
  make: (place: Place<T>) => Omit<Route, 'path' | 'admin' | 'kinds' | 'locate'>,
): Route[] =>
  places.map((place) => ({
    path: place.path,
    ...(place.admin && { admin: place.admin }),
    ...(place.kinds && { kinds: place.kinds }),
    locate: place.locate,
    ...make(place),
  }));

const seenBy = (ctx: Context, permit: Permit, target: Target) => ({
  permit,
  target,
  open: ctx.services.sealer.open,
});

const reading =
  (method: string) =>
  <T extends Target, S extends z.ZodType, R>(
    places: Places<T>,
    operation: Read<T, S, R>,
    form: {
      view?: AnyView;
      /** shape of an answer without a view, for the OpenAPI document */
      returns?: z.ZodType;
      /** media type of the answer where it is not JSON */
      media?: string;
      query?: string[];
      input?: (request: RestRequest) => unknown;
      answer?: (result: R) => Answer | Promise<Answer>;
      /** the answer is a file */
      file?: boolean;
      /** what `input` reads of the body; default: nothing */
      takes?: Takes;
      large?: boolean;
    } = {},
  ): Route[] =>
    routes(places, (place) => ({
      method,
      operation,
      query: form.query ?? [],
      ...(form.view && { returns: { shape: form.view.shape, list: false } }),
      ...(form.returns && { returns: { shape: form.returns, list: false } }),
      ...(form.media && { media: form.media }),
      ...(form.file && { file: true }),
      ...(form.takes && { takes: form.takes }),
      ...(form.large && { large: true }),
      status: 200,
      async handle(request) {
        return whilePresent(request.ctx, async (ctx) => {
          const locate = once(ctx, (at) => place.locate(at, request.params));
          const result = await perform(ctx, operation, locate, () => form.input?.(request));
          if (form.answer) return form.answer(result);
          if (!form.view) return json(result);
          const target = await locate(ctx);
          const seen = seenBy(ctx, await permitFor(ctx, target.realm), target);
          const { version } = result as { version?: number };
          const answer = json(
            Array.isArray(result)
              ? result.map((row) => (form.view as AnyView).encode(row, seen))
              : form.view.encode(result, seen),
          );
          return tagged(answer, version);
        });
      },
    }));

/** GET of one thing, by an operation that returns a row of the view. */
export const get = reading('GET');
/** A read for which the contract has POST. */
export const postToRead = reading('POST');

/** GET of a page of a listing. */
export const getList = <T extends Target, S extends z.ZodType, W, Row>(
  places: Places<T>,
  operation: Listing<T, S, W>,
  form: ListForm<Row>,
): Route[] =>
  routes(places, (place) => ({
    method: 'GET',
    operation,
    query: [...(form.query ?? []), 'first', 'max', ...(form.brief ? ['briefRepresentation'] : [])],
    returns: { shape: form.full.shape, list: true },
    status: 200,
    async handle(request) {
      const { query } = request;
      const paging = form.paging(query);
      const brief = flagParameter(query, 'briefRepresentation') ?? form.briefByDefault ?? true;
      const view = (brief && form.brief ? form.brief : form.full) as AnyView;
      return whilePresent(request.ctx, async (ctx) => {
        const locate = (at: Context) => place.locate(at, request.params);
        const { where, target, permit } = await performList(ctx, operation, locate, form.input?.(request) ?? {});
        if (paging.take === 0) return json([]);
        const found = await delegateOf(ctx.db, operation.model).findMany({
          where,
          orderBy: operation.orderBy,
          select: view.select,
          ...paging,
        });
        const rows = view.complete ? await view.complete(ctx, found) : found;
        const seen = seenBy(ctx, permit, target);
        const texts = await inTurns(rows, (row) => JSON.stringify(view.encode(row, seen)));
        return { status: 200, body: `[${texts.join(',')}]`, type: 'application/json' };
      });
    },
  }));

/** GET of the number of things in a listing. */
export const getCount = <T extends Target, S extends z.ZodType, W>(
  places: Places<T>,
  operation: Listing<T, S, W>,
  form: {
    query?: string[];
    input?: (request: RestRequest) => unknown;
    answer?: (count: number) => Record<string, number>;
  } = {},
): Route[] =>
  routes(places, (place) => ({
    method: 'GET',
    operation,
    query: form.query ?? [],
    returns: { shape: form.answer ? z.record(z.string(), z.int()) : z.int(), list: false },
    status: 200,
    async handle(request) {
      return whilePresent(request.ctx, async (ctx) => {
        const locate = (at: Context) => place.locate(at, request.params);
        const { where } = await performList(ctx, operation, locate, form.input?.(request) ?? {});
        const count = await delegateOf(ctx.db, operation.model).count({ where });
        return json(form.answer ? form.answer(count) : count);
      });
    },
  }));

/** What a write is sent with: a JSON body, one that may be missing, a merge patch, plain text, a form with a file, or nothing. */
export type Takes = 'json' | 'optional json' | 'merge patch' | 'text' | 'upload' | 'nothing';

interface WriteForm<R, T> {
  /** the operation's input; by default the JSON body where the operation has an input */
  input?: (request: RestRequest) => unknown;
  /** what `input` reads of the body; default: nothing */
  takes?: Takes;
  answer?: (result: R, request: RestRequest, target: T) => Answer;
  status?: number;
  large?: boolean;
  /** the answer is a file */
  file?: boolean;
  query?: string[];
  returns?: z.ZodType;
  /** media type of the answer where it is not JSON */
  media?: string;
  failures?: Readonly<Record<number, string>>;
}

const writing =
  (method: string) =>
  <T extends Target, S extends z.ZodType, R, P>(
    places: Places<T>,
    operation: Write<T, S, R, P>,
    form: WriteForm<R, T> = {},
  ): Route[] =>
    routes(places, (place) => ({
      method,
      operation,
      query: form.query ?? [],
      takes: form.takes ?? (operation.input && !form.input ? 'json' : 'nothing'),
      status: form.status ?? (form.answer ? 200 : 204),
      ...(form.returns && { returns: { shape: form.returns, list: false } }),
      ...(form.media && { media: form.media }),
      ...(form.failures && { failures: form.failures }),
      ...(form.large && { large: true }),
      ...(form.file && { file: true }),
      async handle(request) {
        const { ctx } = request;
        const locate = once(ctx, (at) => place.locate(at, request.params));
        const raw = form.input ?? (operation.input ? (given: RestRequest) => given.body() : () => undefined);
        const outcome = await performWrite(ctx, operation, locate, () => raw(request), optionsOf(request));
        const answer = form.answer ? form.answer(outcome.result, request, await locate(ctx)) : noContent;
        return marked(answer, outcome);
      },
    }));

export const post = writing('POST');
export const put = writing('PUT');
export const patch = writing('PATCH');
export const del = writing('DELETE');

/** PATCH of a resource with a JSON merge patch, by an operation made with `patchOf`. */
export const mergePatch = <T extends Target, S extends z.ZodType, R, P>(
  places: Places<T>,
  operation: Write<T, S, R, P>,
): Route[] => patch(places, operation, { input: (request) => request.mergePatch(), takes: 'merge patch' });

/** The same target for the operation and for its answer, found once. */
function once<T>(ctx: Context, locate: (ctx: Context) => Promise<T>): (at: Context) => Promise<T> {
  let found: Promise<T> | undefined;
  return (at) => {
    if (at !== ctx) return locate(at);
    found ??= locate(ctx);
    return found;
  };
}
