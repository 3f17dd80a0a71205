// npm run pack:graphiql   bundles GraphiQL into explorer/graphiql.br, after a change of its version or of explorer/graphiql.ts.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { digestOfSources, writePack } from './graphiql-pack.mjs';

const root = fileURLToPath(new URL('../explorer', import.meta.url));
process.env.NODE_ENV = 'production';
const { output } = await build({ root, configFile: `${root}/graphiql.config.ts` });
const entry = output.find((file) => file.isEntry);
writePack({
  digest: digestOfSources(),
  entry: entry.fileName,
  imports: entry.imports,
  styles: [...entry.viteMetadata.importedCss],
  files: output.map((file) => ({ name: file.fileName, content: Buffer.from(file.code ?? file.source) })),
});
console.log(`explorer/graphiql.br has ${output.length} files: commit it.`);
