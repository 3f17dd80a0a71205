import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { counted } from '../../services/core/counted.js';
import { byPosition, DesiredRealmError, type Fault, faultText } from '../desired/faults.js';
import { type LoadOptions, readDesired } from '../desired/load.js';
import { faultsOfPlan } from '../desired/plan-faults.js';
import { realmGroups } from '../desired/realm-groups.js';
import { validate } from '../desired/validate.js';
import { painter, print, printError } from '../print.js';

/** Options of the commands that read a desired realm. */
export interface DesiredOptions {
  overlay?: string[];
  variables?: string;
  filesFrom?: string[];
  configCli?: boolean;
  withoutSecrets?: boolean;
}

/**
 * Converts options of a command to options of loading. Variables of the environment override variables of the file. A
 * plan without secrets knows only the variables of the file.
 */
export function loadOptions(
  { overlay = [], variables, filesFrom = [], configCli = false, withoutSecrets = false }: DesiredOptions,
  wasWithoutSecrets = false,
): LoadOptions {
  const known = variables === undefined ? {} : variablesIn(variables);
  return {
    overlays: overlay,
    filesFrom,
    readsConfigCli: configCli,
    env: { ...known, ...process.env },
    ...((withoutSecrets || wasWithoutSecrets) && { secrets: { known, areLeft: withoutSecrets } }),
  };
}

function variablesIn(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch {
    throw new Error(`The option --variables must name a readable file, but is ${JSON.stringify(path)}.`);
  }
}

/** Prints the faults of a realm's files. Sets the exit status 1 if they cannot be applied. */
export async function validateFiles(paths: string[], options: DesiredOptions & { json?: boolean }): Promise<void> {
  const { faults, files } = await check(paths, options);
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) process.exitCode = 1;
  if (options.json) {
    print(JSON.stringify({ files, faults: faults.map(jsonOf) }, null, 2));
    return;
  }
  const paint = painter(process.stderr);
  for (const fault of faults) printError(paint(fault.severity === 'error' ? 'red' : 'yellow', faultText(fault)));
  const warnings = faults.length - errors;
  const found = faults.length === 0 ? 'valid' : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  print(`${counted(files.length, 'file')}: ${found}`);
}

/** The faults of the files of all realms. */
async function check(paths: string[], options: DesiredOptions): Promise<{ faults: Fault[]; files: string[] }> {
  const checks = [];
  for (const files of realmGroups(paths)) checks.push(await checkRealm(files, options));
  return { faults: checks.flatMap(({ faults }) => faults), files: checks.flatMap(({ files }) => files) };
}

async function checkRealm(paths: string[], options: DesiredOptions): Promise<{ faults: Fault[]; files: string[] }> {
  try {
    const { desired, faults, isWhole } = readDesired(paths, loadOptions(options));
    const known = [...faults, ...validate(desired)];
    // the objects of an unreadable file would be missing
    const ofPlan = isWhole ? await faultsOfPlan(desired, known) : [];
    return { files: desired.files, faults: [...known, ...ofPlan].toSorted(byPosition) };
  } catch (error) {
    if (error instanceof DesiredRealmError) return { files: [], faults: [...error.faults] };
    throw error;
  }
}

const jsonOf = ({ severity, message, position, path }: Fault) => ({ severity, ...position, path, message });
