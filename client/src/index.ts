export { type ClientOptions, createClient, type RealmgateClient, type RequestOptions } from './client.js';
export type { DataOf, TypedDocument, VariablesOf } from './document.js';
export { ConnectionLostError, RequestError, type ServerError } from './errors.js';
export * from './generated/operations.js';
export type { DateTime } from './scalars.js';
