import { readFileSync, writeFileSync } from 'node:fs';
import { realmShape, type Shape, shapeOf } from '../../services/realms/files/shape.js';
import { createLineFinder, DesiredRealmError } from '../desired/faults.js';
import { type DesiredFile, desiredFiles } from '../desired/files.js';
import { shapeOfFolder } from '../desired/folders.js';
import { formatted } from '../desired/format.js';
import { parse } from '../desired/parse.js';
import { oneLine, print, printError } from '../print.js';

/**
 * Writes files in their canonical form. With `check`, only names the files that differ from it, with the exit status 1.
 */
export function formatFiles(paths: string[], { check }: { check?: boolean }): void {
  const changed = desiredFiles(paths, process.cwd(), []).flatMap((file) => {
    const { text, canonical } = read(file);
    return text === canonical ? [] : [{ file, canonical }];
  });
  for (const { file, canonical } of changed) {
    if (!check) writeFileSync(file.path, canonical);
    print(oneLine(file.name));
  }
  if (check && changed.length > 0) {
    printError('These files are not in the canonical form: run `realmgate fmt` on them.');
    process.exitCode = 1;
  }
}

function read(file: DesiredFile): { text: string; canonical: string } {
  const { text, parsed } = parse(readFileSync(file.path), file.format);
  if (parsed.errors.length > 0) {
    const lineAndColumn = createLineFinder(text);
    throw new DesiredRealmError(
      parsed.errors.map(({ message, offset }) => ({
        severity: 'error',
        message,
        position: { file: file.name, ...lineAndColumn(offset) },
      })),
    );
  }
  return { text, canonical: formatted(text, file.format, shapeOfFile(file, parsed.value)) };
}

function shapeOfFile({ folder }: DesiredFile, value: unknown): Shape | undefined {
  if (!folder) return realmShape();
  const shape = shapeOfFolder(folder);
  return folder.form === 'map' || Array.isArray(value) ? shape : shapeOf(shape, 0);
}
