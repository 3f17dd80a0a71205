// Gives the tests of the `sqlite` project a database file to copy.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareTemplate } from './template.mjs';

let folder;

export async function setup(project) {
  folder = mkdtempSync(join(tmpdir(), 'realmgate-template-'));
  const file = join(folder, 'template.db');
  await prepareTemplate(`file:${file}`);
  project.provide('template', file);
}

export function teardown() {
  rmSync(folder, { recursive: true, force: true });
}
