import { createReadStream } from 'node:fs';
import { isObject } from '../../services/core/json.js';
import { readJsonFile } from '../../services/core/json-file.js';
import { SpooledInput } from '../../services/core/spool.js';
import { assessRealm, type Finding } from '../../services/realms/assessment/assess.js';
import { countUser } from '../../services/realms/assessment/users.js';
import { listOf } from '../../services/realms/desired/kinds.js';
import { type Paint, painter, print } from '../print.js';

const titles: Readonly<Record<Finding['effect'], string>> = {
  FAILS: 'Does not work:',
  HAS_NO_EFFECT: 'Is kept or ignored, without effect:',
};

/**
 * The features of an exported realm that do not work on this server as on the source server. Throws for a file that has
 * no realm.
 */
export async function findingsOf(file: string): Promise<Finding[]> {
  const read = await readJsonFile(createReadStream(file), 'users');
  const counts = new Map<string, number>();
  const count = (user: unknown): void => {
    if (isObject(user)) countUser(counts, user);
  };
  const isSpooled = read instanceof SpooledInput;
  const realm: unknown = isSpooled ? read.rest : read;
  if (!isObject(realm)) throw new Error('The file must have the fields of a realm');
  if (isSpooled) {
    for await (const user of read.list.values()) count(user);
    await read.list.close();
  } else {
    for (const user of listOf(realm, 'users')) count(user);
  }
  const { users: _, ...rest } = realm;
  return assessRealm(rest, counts);
}

/** Findings as lines, grouped by effect under a title. */
export function findingLines(findings: readonly Finding[], paint: Paint): string[] {
  return Object.entries(titles).flatMap(([effect, title]) => {
    const own = findings.filter((finding) => finding.effect === effect);
    const lines = own.map(({ kind, name, message }) => `  ${kind} ${name}: ${message}`);
    return own.length === 0 ? [] : [paint(effect === 'FAILS' ? 'red' : 'yellow', title), ...lines];
  });
}

/**
 * Prints the features of an exported realm that will not work on this server. Sets the exit status 2 if there are any.
 */
export async function assessFile(file: string, { json = false }: { json?: boolean }): Promise<void> {
  const findings = await findingsOf(file);
  const failing = findings.filter(({ effect }) => effect === 'FAILS').length;
  if (failing > 0) process.exitCode = 2;
  if (json) return print(JSON.stringify({ findings }, null, 2));
  for (const line of findingLines(findings, painter(process.stdout))) print(line);
  const idle = findings.length - failing;
  const counts = [
    failing === 1 ? '1 thing does not work' : `${failing} things do not work`,
    `${idle} ${idle === 1 ? 'has' : 'have'} no effect`,
  ];
  print(`${counts.join(', ')}. All else works as before.`);
}
