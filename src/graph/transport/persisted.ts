import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Config } from '../../config/config.js';
import { limit } from '../../config/limits.js';
import { isObject, members } from '../../services/core/json.js';
import { documentLimits, parseWithin } from './document.js';
import { createKept } from './kept.js';

/** The part of a request that names the document to execute, as it was sent. */
interface DocumentRequest {
  query?: unknown;
  /** ID of a trusted document, as the GraphQL over HTTP specification names it; `sha256:` may precede a hash */
  documentId?: unknown;
  extensions?: unknown;
}

/** The documents that requests name instead of sending them. */
export interface PersistedDocuments {
  /**
   * Text of the document of a request; undefined if it names none. Caches a text that is sent with its hash, unless the
   * caller is anonymous. Throws a GraphQLError with a code of Apollo's protocol.
   */
  textOf(request: DocumentRequest, isAnonymous: boolean): string | undefined;
}

/** Maximum documents that clients can register in one process, and maximum characters of all of them. */
const mostDocuments = limit(
  'GraphQL',
  'Persisted queries of all callers',
  1000,
  'documents',
  'the longest unused is dropped',
);
const mostCharacters = limit(
  'GraphQL',
  'Text of all persisted queries',
  8 * 1024 * 1024,
  'characters',
  'the longest unused is dropped',
);

const refused = (message: string, code: string, status: number): GraphQLError =>
  new GraphQLError(message, { extensions: { code, http: { status } } });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The documents of one process: trusted documents, and documents that clients registered. */
export function persistedDocuments({
  trustedDocuments = new Map(),
  trustedDocumentsOnly,
}: Pick<Config, 'trustedDocuments' | 'trustedDocumentsOnly'>): PersistedDocuments {
  const registered = createKept<string>(mostDocuments, mostCharacters, (id, text) => id.length + text.length);
  const texts = new Set(trustedDocuments.values());

  const named = (id: string): string => {
    const text = trustedDocuments.get(id) ?? (trustedDocumentsOnly ? undefined : registered.get(id));
    if (text !== undefined) return text;
    if (trustedDocumentsOnly)
      throw refused('The document is not in the list of trusted documents', 'PERSISTED_QUERY_NOT_IN_LIST', 400);
    // clients send the text when they read this message or this code; an error status would count as a failed request
    throw refused('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', 200);
  };

  return {
    textOf(request, isAnonymous) {
      const hash = hashIn(request.extensions);
      const id =
        hash ?? (typeof request.documentId === 'string' ? request.documentId.replace(/^sha256:/, '') : undefined);
      const query = typeof request.query === 'string' && request.query !== '' ? request.query : undefined;
      if (query === undefined) return id === undefined ? undefined : named(id);
      if (hash !== undefined && hash !== hashOf(query))
        throw refused('The hash is not the SHA-256 hash of the document', 'PERSISTED_QUERY_HASH_MISMATCH', 400);
      if (trustedDocumentsOnly && !texts.has(query))
        throw refused('Only trusted documents can be executed', 'QUERY_NOT_IN_SAFELIST', 400);
      if (hash !== undefined && !isAnonymous && isWithinLimits(query)) registered.keep(hash, query);
      return query;
    },
  };
}

/** The hash of Apollo's automatic persisted queries. */
function hashIn(extensions: unknown): string | undefined {
  const { persistedQuery } = members(extensions);
  if (!isObject(persistedQuery)) return undefined;
  const { version, sha256Hash } = persistedQuery;
  if (version !== 1) throw refused('Version 1 of persisted queries is supported', 'PERSISTED_QUERY_NOT_SUPPORTED', 400);
  if (typeof sha256Hash !== 'string') throw refused('`sha256Hash` is required', 'PERSISTED_QUERY_ID_REQUIRED', 400);
  return sha256Hash;
}

/** Documents over a limit are refused later, where all documents are parsed. */
function isWithinLimits(text: string): boolean {
  try {
    parseWithin(text, documentLimits);
    return true;
  } catch {
    return false;
  }
}
