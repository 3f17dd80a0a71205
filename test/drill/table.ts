import type { System } from './system.js';

/** A row of the table: what happened to requests during a step. */
export interface Outcome {
  readonly step: string;
  readonly seconds: number;
  /** names of the users whose creation was acknowledged */
  readonly acknowledged: readonly string[];
  readonly logins: number;
  /** answers with 503, which say that the request is to be sent again later */
  readonly refused: number;
  /** any other status: of a proxy whose instance is gone, 0 of a connection that ended, or a fault */
  readonly others: readonly number[];
  /** messages of warnings and errors, and of ends of outages, by number of lines */
  readonly logged: ReadonlyMap<string, number>;
}

interface Line {
  level: string;
  msg: string;
}

const lines = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);
/** Lines of each request, and of each start, are not what an outage leaves. */
const isTold = ({ level, msg }: Line): boolean => level !== 'info' || / again$|was promoted|stopp/i.test(msg);

/** Does a step, and returns what happened meanwhile. */
export async function observed(step: string, system: System, act: () => Promise<void>): Promise<Outcome> {
  const { writes, logins, instances } = system;
  const from = {
    writes: writes.map(({ answers }) => answers.length),
    logins: logins.map(({ answers }) => answers.length),
  };
  const earlier = new Map(instances.map(({ run }) => [run, run.output().length]));
  const runs = new Set(instances.map(({ run }) => run));
  const started = performance.now();
  await act();
  await system.works();
  for (const { run } of instances) runs.add(run);
  const written = writes.flatMap(({ answers }, at) => answers.slice(from.writes[at]));
  const loggedIn = logins.flatMap(({ answers }, at) => answers.slice(from.logins[at]));
  const statuses = [...written, ...loggedIn].map(({ status }) => status);
  const logged = new Map<string, number>();
  for (const run of runs)
    for (const { msg } of lines(run.output().slice(earlier.get(run) ?? 0)).filter(isTold))
      logged.set(msg, (logged.get(msg) ?? 0) + 1);
  return {
    step,
    seconds: (performance.now() - started) / 1000,
    acknowledged: written.filter(({ status }) => status === 201).map(({ username }) => username),
    logins: loggedIn.filter(({ status }) => status === 200).length,
    refused: statuses.filter((status) => status === 503).length,
    others: statuses.filter((status) => ![200, 201, 503].includes(status)),
    logged,
  };
}

/** The outcomes as a table of text. `stored` are the names of the users who are there in the end. */
export function tableOf(outcomes: readonly Outcome[], stored: ReadonlySet<string>): string {
  const rows = outcomes.map(({ step, seconds, acknowledged, logins, refused, others }) => [
    step,
    seconds.toFixed(1),
    String(acknowledged.length),
    String(acknowledged.filter((name) => !stored.has(name)).length),
    String(logins),
    String(refused),
    others.length === 0 ? '0' : `${others.length} (${[...new Set(others)].join(', ')})`,
  ]);
  const head = ['step', 'seconds', 'acknowledged', 'lost', 'logins', 'refused', 'others'];
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const table = [head, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const logged = outcomes.flatMap(({ step, logged: messages }) =>
    [...messages].map(([message, times]) => `${step}: ${times} × ${message}`),
  );
  return [...table, '', 'Lines of the log:', ...logged].join('\n');
}
