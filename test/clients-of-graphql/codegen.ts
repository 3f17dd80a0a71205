import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: './schema.graphql',
  documents: ['./typed/codegen.ts'],
  generates: {
    './typed/gql/': {
      preset: 'client',
      presetConfig: { persistedDocuments: { hashAlgorithm: 'sha256' } },
      config: { useTypeImports: true, scalars: { DateTime: 'string' } },
    },
  },
};
export default config;
