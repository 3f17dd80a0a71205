import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInstalled } from './linters.js';

// `.ci/run` installs the linters of linters.txt. They have their schemas with them.
const folder = 'deploy/kubernetes';
const manifests = readdirSync(folder)
  .filter((file) => file !== 'kustomization.yaml')
  .map((file) => join(folder, file));

const linters: [string, string[]][] = [
  ['hadolint', ['--no-color', 'Dockerfile']],
  ['check-jsonschema', ['--builtin-schema', 'vendor.compose-spec', 'compose.yaml', 'compose.postgresql.yaml']],
  ['check-jsonschema', ['--builtin-schema', 'vendor.github-workflows', 'examples/github-actions/realm.yaml']],
  ['kubernetes-validate', ['--strict', ...manifests]],
];

describe('the files for deployment and pipelines', () => {
  for (const [linter, args] of linters) {
    it.skipIf(!isInstalled(linter))(`have no fault that ${linter} finds: ${args.at(-1)}`, () => {
      const { status, stdout, stderr } = spawnSync(linter, args, { encoding: 'utf8' });
      expect(status, stdout + stderr).toBe(0);
    });
  }
});
