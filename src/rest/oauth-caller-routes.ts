import type { z } from 'zod';
import type { Operation } from '../services/core/operation.js';
import type { Route, Takes } from './table.js';

/**
 * An operation that clients, resource servers and their users ask for below `/auth/realms`, with tokens of their own. The
 * documents of the contract do not list these; the OpenAPI document, the map and the refusal matrix have them beside the table.
 */
export interface OAuthCallerRoute
  extends Pick<Route, 'method' | 'path' | 'operation' | 'query' | 'returns' | 'media' | 'status' | 'takes'> {
  /** names of the security schemes of the OpenAPI document, any one of them; empty for nobody in particular */
  security: readonly string[];
  /** what the body has to be where that is not the input of the operation */
  accepts?: z.ZodType;
}

/** What a row says besides; everything may be missing. */
export interface OAuthCallerForm {
  query?: string[];
  returns?: { shape: z.ZodType; list: boolean };
  takes?: Takes;
  status?: number;
  accepts?: z.ZodType;
}

/** A row of the table; `at` is the method and the path after the prefix. */
export function oauthCallerRoute(
  at: string,
  prefix: string,
  operation: Operation,
  security: readonly string[],
  { query = [], returns, takes = 'nothing', status = 200, accepts }: OAuthCallerForm = {},
): OAuthCallerRoute {
  const [method = '', path = ''] = at.split(' ');
  return {
    method,
    path: prefix + path,
    operation,
    security,
    query,
    takes,
    status,
    ...(returns && { returns }),
    ...(accepts && { accepts }),
  };
}
