import { readFile } from 'node:fs/promises';

let known: Promise<string> | undefined;

/** The version of this server, as its package states it. */
export function ownVersion(): Promise<string> {
  known ??= readFile(new URL('../../../package.json', import.meta.url), 'utf8').then(
    (text) => (JSON.parse(text) as { version: string }).version,
  );
  return known;
}
