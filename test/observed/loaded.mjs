// Preloaded into a server: names, at its end, the packages of OpenTelemetry that it has loaded.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

process.once('exit', () => {
  const files = Object.keys(createRequire(import.meta.url).cache);
  const packages = new Set(files.flatMap((file) => /node_modules\/(@opentelemetry\/[\w-]+)/.exec(file)?.[1] ?? []));
  writeFileSync(process.env.LOADED_FILE ?? '', JSON.stringify([...packages]));
});
