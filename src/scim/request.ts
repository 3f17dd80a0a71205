import type { IncomingMessage } from 'node:http';
import type { Answer } from '../http/answer.js';
import { optionsOf } from '../http/write-headers.js';
import type { Context } from '../services/core/context.js';
import { noteIgnored } from '../services/core/ignored-fields.js';
import type { WriteOptions } from '../services/core/perform.js';
import type { RealmRecord } from '../services/core/realm.js';
import { realmByName } from '../services/realms/locate.js';
import type { Document } from './document.js';
import type { NoteIgnored } from './values.js';

/** Media type of all messages, RFC 7644 section 8.1. */
export const scimType = 'application/scim+json';

/** A request after routing. */
export interface ScimRequest {
  readonly ctx: Context;
  readonly realmName: string;
  /** ID in the path; empty if there is none */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  body(): Promise<unknown>;
}

/** The realm of a request. Throws its 404. */
export const realmOf = ({ realmName }: ScimRequest, at: Context): Promise<RealmRecord> => realmByName(at, realmName);

/** Address of the service for a realm. */
export const baseOf = ({ ctx, realmName }: ScimRequest): string =>
  `${ctx.baseUrl}/realms/${encodeURIComponent(realmName)}/scim/v2`;

/** Remembers ignored parts of a request, which the answer names in `X-Ignored-Fields`. */
export const noteFor =
  ({ ctx }: ScimRequest): NoteIgnored =>
  (...path) =>
    noteIgnored(ctx, [path]);

/** Headers of a request as options of its write. Nobody can take the rights of the last administrator. */
export const writeOptions = (request: ScimRequest, sent?: unknown): WriteOptions => ({
  ...optionsOf(request),
  keepsAdministrator: true,
  ...(sent !== undefined && { sent }),
});

/** An answer with a message of SCIM. */
export const message = (body: object, status = 200): Answer => ({
  status,
  body: JSON.stringify(body),
  type: scimType,
});

/** An answer with a resource, its ETag, and, if it was created, its address. */
export function resourceAnswer(request: ScimRequest, document: Document, shown: Document, status = 200): Answer {
  const { version, location } = document.meta as { version: string; location: string };
  const isKnown = request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === version);
  if (isKnown && status === 200) return { status: 304, headers: { etag: version } };
  return { ...message(shown, status), headers: { etag: version, ...(status === 201 && { location }) } };
}
