/** What goes back to the caller. An object is sent as JSON. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** values of Set-Cookie headers */
  cookies?: string[];
  body?: unknown;
  /** a JSON text that is made while it is sent, in place of a body */
  stream?: AsyncIterable<string>;
  /** media type of a body that is a text or bytes */
  type?: string;
  /** whether everybody may read it, so that caches may keep it as long as they ask whether it has changed */
  public?: boolean;
}

/** What logs and metrics say of a request that was answered. */
export interface Handled {
  /** name of the operation */
  operation: string;
  status: number;
  /** path with the names of its parameters, where the surface has a table of paths */
  route?: string | undefined;
}

/** An answer with a JSON body. */
export const json = (body: unknown, status = 200): Answer => ({ status, body });

/** With the version of what is answered as its ETag, which `If-Match` of a write is compared with. */
export const tagged = (answer: Answer, version: number | undefined): Answer =>
  version === undefined ? answer : { ...answer, headers: { ...answer.headers, etag: `"${version}"` } };

/** The status and headers of an answer to a request that may succeed when it is sent again: `busy` refusals, on every surface. */
export const unavailable = { status: 503, headers: { 'retry-after': '1' } } as const satisfies Answer;

export const noContent: Answer = { status: 204 };

/** 201 with the path of what was created, relative to the realm's address on the mount that was used. */
export const createdAt = (location: string, body?: unknown): Answer => ({
  status: 201,
  headers: { location },
  ...(body !== undefined && { body }),
});

/**
 * Encodes a path segment as the reference server's URI builder does: what RFC 3986 allows in a path stays,
 * and so do slashes and escapes that are there already.
 */
export const pathSegment = (text: string): string =>
  encodeURI(text)
    .replace(/%25([0-9A-Fa-f]{2})/g, '%$1')
    .replace(/[?#[\]]/g, (character) => encodeURIComponent(character));
