import type { IncomingMessage } from 'node:http';
import type { Context } from '../services/core/context.js';
import { parsedJson } from '../services/core/json-file.js';
import { Refusal } from '../services/core/refusal.js';
import type { Upload } from './upload.js';

/** One REST request after routing. */
export interface RestRequest {
  readonly ctx: Context;
  /** decoded path parameters */
  readonly params: Record<string, string>;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** address of the mount that was used, e.g. `https://id.example/auth/admin/realms` */
  readonly mount: string;
  /** The JSON body; refuses other media types, malformed texts and bodies over the limit. */
  body(): Promise<unknown>;
  /** The JSON merge patch of a PATCH; refuses other media types and says which one it takes. */
  mergePatch(): Promise<unknown>;
  /** The same where it may be large: then the list at the field of this name is put aside, see `SpooledInput`. */
  file(list: string): Promise<unknown>;
  /** The body as text, of any of these media types. */
  text(...types: string[]): Promise<string>;
  /** The body as a form with a file. */
  upload(): Promise<Upload>;
}

/** The JSON value of a body that may be empty; it has to say that it is JSON all the same. */
export async function optionalBody(request: RestRequest): Promise<unknown> {
  const text = await request.text('application/json');
  return text === '' ? undefined : parsedJson(text);
}

/** An integer parameter; the contract answers 404 to one that is no integer. */
export function intParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^-?\d{1,10}$/.test(text) || Math.abs(Number(text)) > 2 ** 31) {
    throw new Refusal('notFound', 'HTTP 404 Not Found', { field: name });
  }
  return Number(text);
}

/** A boolean parameter: anything but "true" is false. */
export function flagParameter(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : text.toLowerCase() === 'true';
}
