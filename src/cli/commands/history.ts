import type { ShownApply } from '../../services/realms/applied/representation.js';
import type { ServerOptions } from '../access/credentials.js';
import { withRealms } from '../access/open.js';
import { authorText } from '../desired/plan-text.js';
import { oneLine, print } from '../print.js';

/** Options of `realmgate history`. */
export interface HistoryOptions extends ServerOptions {
  realm: string;
  max: number;
  json?: boolean;
}

/** Prints the last applies and reverts of a realm, newest first. Throws if the realm does not exist. */
export const historyOfRealm = ({ realm, max, json, ...server }: HistoryOptions): Promise<void> =>
  withRealms(server, [], async (realms) => {
    const applies = await realms.applies(realm, max);
    if (json) print(JSON.stringify(applies, undefined, 2));
    else if (applies.length === 0) print('No file was applied to the realm.');
    else for (const apply of applies) print(lineOf(apply, Date.now()));
  });

function lineOf(apply: ShownApply, now: number): string {
  const { number, appliedAt, summary, appliedBy, reverts, source, revision, revertibleUntil } = apply;
  const counts = `${summary.create} created, ${summary.update} updated, ${summary.delete} deleted`;
  const parts = [
    `${number}  ${new Date(appliedAt).toISOString()}  ${counts}  by ${authorText(appliedBy)}`,
    ...(source === undefined ? [] : [`from ${source}${revision === undefined ? '' : ` ${revision}`}`]),
    ...(reverts === undefined ? [] : [`reverts ${reverts}`]),
    ...(revertibleUntil <= now ? ['can no longer be reverted'] : []),
  ];
  return oneLine(parts.join('  '));
}
