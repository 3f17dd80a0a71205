import { isObject } from '../../services/core/json.js';
import { mask } from '../../services/core/mask.js';
import { perform, performWrite } from '../../services/core/perform.js';
import type { PlannedChange } from '../../services/realms/desired/describe.js';
import { apply, plan } from '../../services/realms/desired/operations.js';
import type { Plan } from '../../services/realms/desired/plan.js';
import { realmByName } from '../../services/realms/locate.js';
import { loadDesired } from '../desired/load.js';
import { settingsWord, versionWord } from '../desired/words.js';
import { painter } from '../paint.js';
import { operatorContext, withServices } from '../with-services.js';
import { type DesiredOptions, loadOptions } from './validate.js';

export interface PlanOptions extends DesiredOptions {
  realm?: string;
  json?: boolean;
}

export interface ApplyOptions extends PlanOptions {
  /** the digest of the plan that was looked at */
  digest?: string;
  allowDeletes: number;
}

interface Desired {
  /** name of the realm */
  name: string;
  input: { desired: object; modes?: unknown };
  /** texts that came from variables and other files: they are not printed */
  secrets: string[];
}

/** A value without the fields that are not of the realm. */
function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== settingsWord && name !== versionWord)
      .map(([name, item]) => [name, withoutWords(item)]),
  );
}

const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );

/** The realm that files describe. Throws DesiredRealmError with all faults of the files, or if nothing names the realm. */
function readDesired(files: string[], options: PlanOptions): Desired {
  const { realm, secretPaths } = loadDesired(files, loadOptions(options));
  const name = options.realm ?? realm['realm'];
  if (typeof name !== 'string') throw new Error('Name the realm with --realm NAME, or by the field `realm` of a file');
  const settings = realm[settingsWord];
  const modes = isObject(settings) ? settings['modes'] : undefined;
  const secrets = secretPaths.map((path) => valueAt(realm, path)).filter((value) => typeof value === 'string');
  const desired = withoutWords(realm) as object;
  return { name, input: { desired, ...(modes !== undefined && { modes }) }, secrets: secrets.filter(Boolean) };
}

/** Prints what a file would change in a realm. Exit status 2 if it is anything. Throws a refusal that names the field. */
export const planRealm = (files: string[], options: PlanOptions): Promise<void> =>
  withServices(async (services) => {
    const { name, input, secrets } = readDesired(files, options);
    const ctx = operatorContext(services);
    const found = await perform(ctx, plan, async () => ({ realm: await realmByName(ctx, name) }), input);
    print(found, secrets, options);
    if (found.changes.length > 0) process.exitCode = 2;
  });

/** Changes a realm so that it is as a file describes it, all or nothing, and prints what was changed. Throws a refusal that names the field. */
export const applyRealm = (files: string[], { digest, allowDeletes, ...options }: ApplyOptions): Promise<void> =>
  withServices(async (services) => {
    const { name, input: desired, secrets } = readDesired(files, options);
    const ctx = operatorContext(services);
    const input = { ...desired, allowDeletes, ...(digest !== undefined && { expectedDigest: digest }) };
    const { result } = await performWrite(ctx, apply, async () => ({ realm: await realmByName(ctx, name) }), input, {
      keepsAdministrator: true,
    });
    print(result, secrets, options);
  });

function print({ digest, summary, changes, warnings }: Plan, secrets: readonly string[], { json }: PlanOptions): void {
  const shown = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, mask), text);
  if (json) {
    console.log(shown(JSON.stringify({ digest, summary, changes, warnings }, undefined, 2)));
    return;
  }
  for (const change of changes) console.log(shown(textOf(change)));
  for (const warning of warnings) console.error(`warning: ${warning}`);
  console.log(`${summary.create} to create, ${summary.update} to update, ${summary.delete} to delete.`);
  if (changes.length > 0) console.log(`digest ${digest}`);
}

const signs = { CREATE: ['+', 'green'], UPDATE: ['~', 'yellow'], DELETE: ['-', 'red'] } as const;

/** A change as lines of text: the object, and of an update its fields. */
function textOf({ action, kind, key, fields }: PlannedChange): string {
  const [sign, colour] = signs[action];
  const line = `${sign} ${kind} ${key}`;
  const head = painter(process.stdout)(colour, line);
  if (action !== 'UPDATE') return head;
  const changed = fields.map(
    ({ path, before, after }) =>
      `    ${path.join('.')}: ${JSON.stringify(before) ?? 'absent'} → ${JSON.stringify(after) ?? 'absent'}`,
  );
  return [head, ...changed].join('\n');
}
