import { GraphQLError } from 'graphql';
import type { Context } from '../../services/core/context.js';
import { invalid } from '../../services/core/refusal.js';
import { builder } from './builder.js';
import { UploadedFile } from './uploaded-file.js';

builder.scalarType('Upload', {
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

/** What was sent of a text and of a file that may take its place. Throws `invalid` for both and for neither. */
export function eitherOf<T>(
  field: string,
  text: T | null | undefined,
  upload: UploadedFile | null | undefined,
): { text: T; upload?: never } | { text?: never; upload: UploadedFile } {
  if (text != null && upload != null) throw invalid(`Give either \`${field}\` or \`upload\`, not both`, 'upload');
  if (upload != null) return { upload };
  if (text == null) throw invalid(`\`${field}\` or \`upload\` is required`, field);
  return { text };
}

/** The text of a document that came as such or as a file. Throws `invalid` or `tooLarge`. */
export async function documentOf(
  args: { document?: string | null | undefined; upload?: UploadedFile | null | undefined },
  { services }: Context,
): Promise<string> {
  const { text, upload } = eitherOf('document', args.document, args.upload);
  return text ?? (await upload.bytes(services.config.bodyLimit)).toString('utf8');
}
