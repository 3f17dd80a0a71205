// Writes the types of the documents of the client and of the console, with the input types and enums that they use. Only the check of types and
// the package of the client need them, so that `npm start` works without the generator. Part of tools/prepare.mjs.
import { plugin } from '@graphql-codegen/typescript-operations';
import {
  clientDocuments,
  clientMutations,
  fragmentsByName,
  head,
  readSchema,
  typesPath,
  writeFiles,
} from './generate-client.mjs';
import { typesOfMutations } from './named-mutations.mjs';

/** Options of GraphQL Code Generator. client/README.md states the types of scalars. */
const options = {
  scalars: { ID: 'string', DateTime: 'DateTime', JSON: 'unknown', Upload: 'never' },
  strictScalars: true,
  enumType: 'string-literal',
  skipTypename: true,
  arrayInputCoercion: false,
};

/** The types of a document, without the helper types of the generator, and those of shared fragments, which only operations use. */
async function typesOf(schema, { path, document, shared }) {
  const { content } = await plugin(schema, [{ location: path, document }], options, { outputFile: path });
  const names = [...fragmentsByName(shared).keys()].join('|');
  const types = content
    .replaceAll(new RegExp(`^(export )?type (${names})(_\\w+_)?Fragment =[^;]*?(\\{.*\\})?;\n`, 'gm'), '')
    .replaceAll(/^\/\*\* Internal type\. DO NOT USE DIRECTLY\. \*\/\n.*\n/gm, '')
    .replaceAll(/\bExact<(\{[\s\S]*?\})>;/g, '$1;')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  // the client names its scalar; elsewhere it is the text that it is
  return path.startsWith('client/') ? types : types.replaceAll(/\bDateTime\b/g, 'string');
}

const schema = readSchema();
const mutations = clientMutations(schema);
const files = await Promise.all(
  clientDocuments(schema).map(async (output) => {
    const imports = output.path.startsWith('client/') ? `\nimport type { DateTime } from '../scalars.js';` : '';
    return [typesPath(output.path), `${head}${imports}\n\n${await typesOf(schema, output)}\n`];
  }),
);
const mutationTypes = `${await typesOf(schema, mutations)}\n\n${typesOfMutations(mutations.names)}`;
writeFiles([...files, [typesPath(mutations.path), `${head}\n\n${mutationTypes}\n`]]);
