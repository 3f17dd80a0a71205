import { readFile } from 'node:fs/promises';
import { styleText } from 'node:util';
import { perform, performWrite } from '../../services/core/perform.js';
import type { PlannedChange } from '../../services/realms/desired/describe.js';
import { apply, plan } from '../../services/realms/desired/operations.js';
import type { Plan } from '../../services/realms/desired/plan.js';
import { realmByName } from '../../services/realms/locate.js';
import { operatorContext, withServices } from '../with-services.js';

export interface PlanOptions {
  realm?: string;
  json?: boolean;
}

export interface ApplyOptions extends PlanOptions {
  /** the digest of the plan that was looked at */
  digest?: string;
  allowDeletes: number;
}

/** The realm that a file describes, with its name. Throws if the file is no JSON object, or nothing names the realm. */
async function readDesired(file: string, { realm }: PlanOptions): Promise<{ desired: object; name: string }> {
  const desired: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (typeof desired !== 'object' || desired === null || Array.isArray(desired))
    throw new Error(`${file} must contain a JSON object: a realm file, or a part of one`);
  const name = realm ?? ('realm' in desired ? desired.realm : undefined);
  if (typeof name !== 'string')
    throw new Error(`Name the realm with --realm NAME, or by the field \`realm\` of ${file}`);
  return { desired, name };
}

/** Prints what a file would change in a realm. Exit status 2 if it is anything. Throws a refusal that names the field. */
export const planRealm = (file: string, options: PlanOptions): Promise<void> =>
  withServices(async (services) => {
    const { desired, name } = await readDesired(file, options);
    const ctx = operatorContext(services);
    const found = await perform(ctx, plan, async () => ({ realm: await realmByName(ctx, name) }), { desired });
    print(found, options);
    if (found.changes.length > 0) process.exitCode = 2;
  });

/** Changes a realm so that it is as a file describes it, all or nothing, and prints what was changed. Throws a refusal that names the field. */
export const applyRealm = (file: string, { digest, allowDeletes, ...options }: ApplyOptions): Promise<void> =>
  withServices(async (services) => {
    const { desired, name } = await readDesired(file, options);
    const ctx = operatorContext(services);
    const input = { desired, allowDeletes, ...(digest !== undefined && { expectedDigest: digest }) };
    const { result } = await performWrite(ctx, apply, async () => ({ realm: await realmByName(ctx, name) }), input, {
      keepsAdministrator: true,
    });
    print(result, options);
  });

function print({ digest, summary, changes, warnings }: Plan, { json }: PlanOptions): void {
  if (json) {
    console.log(JSON.stringify({ digest, summary, changes, warnings }, undefined, 2));
    return;
  }
  for (const change of changes) console.log(textOf(change));
  for (const warning of warnings) console.error(`warning: ${warning}`);
  console.log(`${summary.create} to create, ${summary.update} to update, ${summary.delete} to delete.`);
  if (changes.length > 0) console.log(`digest ${digest}`);
}

const signs = { CREATE: ['+', 'green'], UPDATE: ['~', 'yellow'], DELETE: ['-', 'red'] } as const;

/** A change as lines of text: the object, and of an update its fields. */
function textOf({ action, kind, key, fields }: PlannedChange): string {
  const [sign, colour] = signs[action];
  const line = `${sign} ${kind} ${key}`;
  const head = process.stdout.isTTY && process.env.NO_COLOR === undefined ? styleText(colour, line) : line;
  if (action !== 'UPDATE') return head;
  const changed = fields.map(
    ({ path, before, after }) =>
      `    ${path.join('.')}: ${JSON.stringify(before) ?? 'absent'} → ${JSON.stringify(after) ?? 'absent'}`,
  );
  return [head, ...changed].join('\n');
}
