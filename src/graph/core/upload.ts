import { GraphQLError } from 'graphql';
import type { Context } from '../../services/core/context.js';
import { readLargeJson } from '../../services/core/json-file.js';
import { builder } from './builder.js';
import type { FieldOf } from './input-path.js';
import type { InputBuilder } from './setting-types.js';
import { isFile } from './texts.js';
import { UploadedFile } from './uploaded-file.js';

builder.scalarType('Upload', {
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  description:
    'A file in a multipart request (github.com/jaydenseric/graphql-multipart-request-spec). Allowed only as a variable.',
  serialize: () => {
    throw new GraphQLError('An Upload cannot be returned');
  },
  parseValue(value) {
    if (value instanceof UploadedFile) return value;
    throw new GraphQLError('An Upload must be a part of a multipart request that the part "map" names');
  },
  parseLiteral() {
    throw new GraphQLError('An Upload must be given as a variable');
  },
});

const uploadField = (t: InputBuilder) =>
  t.field({ type: 'Upload', description: 'The file as a part of a multipart request.' });

/** A document that is JSON. */
export const JsonFileInput = builder.inputType('JsonFileInput', {
  description: 'A JSON document, as a value or as a file. Exactly one field is given.',
  isOneOf: true,
  fields: (t) => ({
    json: t.field({ type: 'JSON', description: 'The document as a JSON value.' }),
    upload: uploadField(t),
  }),
});

/** A document that is text. */
export const TextFileInput = builder.inputType('TextFileInput', {
  description: 'A text document, as a string or as a file. Exactly one field is given.',
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: 'The document as a string.', ...isFile }),
    upload: uploadField(t),
  }),
});

/** A document of bytes. */
export const BinaryFileInput = builder.inputType('BinaryFileInput', {
  description: 'A binary document, as a string or as a file. Exactly one field is given.',
  isOneOf: true,
  fields: (t) => ({
    base64: t.string({ description: 'The document, base64-encoded.', ...isFile }),
    upload: uploadField(t),
  }),
});

interface Uploaded {
  upload?: UploadedFile | null | undefined;
}

/**
 * The value of a JSON document of at most `limit` bytes, if it is a file. Throws `malformed`, `invalid`, or `tooLarge`.
 */
export async function jsonOf({ json, upload }: Uploaded & { json?: unknown }, limit: number): Promise<unknown> {
  return upload ? readLargeJson([await upload.bytes(limit)]) : json;
}

/** The text of a document. Throws `tooLarge`. */
export async function textOf(
  { text, upload }: Uploaded & { text?: string | null | undefined },
  { services }: Context,
): Promise<string> {
  return upload ? (await upload.bytes(services.config.bodyLimit)).toString('utf8') : (text ?? '');
}

/** The content of a document, base64-encoded. Throws `tooLarge`. */
export async function base64Of(
  { base64, upload }: Uploaded & { base64?: string | null | undefined },
  { services }: Context,
): Promise<string> {
  return upload ? (await upload.bytes(services.config.bodyLimit)).toString('base64') : (base64 ?? '');
}

/** Converts paths in the JSON document of an input field to paths in the input. */
export function pathInFile(field: string, { upload }: Uploaded): FieldOf {
  const at = `${field}.${upload ? 'upload' : 'json'}`;
  return (path) => (path === 'upload' || path === 'body' ? at : `${at}.${path}`);
}
