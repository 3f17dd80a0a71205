// Turns a run of compare.mjs into Markdown, and puts it into RESULTS.md.
import { readFileSync } from 'node:fs';
import { conclusions, databaseNames, figure, ratioChart } from './ratios.mjs';

/** @typedef {{ date: string, machine: { load: number[] }, args: object, databases: object }} Run the content of results.json */

const targets = JSON.parse(readFileSync(new URL('targets.json', import.meta.url), 'utf8'));

/** Whether a figure keeps to its target. */
const met = (value, target) => {
  if (target === undefined || value === undefined) return '–';
  return value <= target ? 'yes' : '**no**';
};

/**
 * The target of a workload in CPU milliseconds per operation; some depend on how many users the realm has.
 * @param {string} workload
 * @param {number} users
 * @returns {number | undefined}
 */
export const targetOf = (workload, users) => ofSize(targets[workload], users);

function ofSize(target, users) {
  if (typeof target !== 'object') return target;
  const sizes = Object.keys(target)
    .map(Number)
    .sort((a, b) => a - b);
  return target[sizes.find((size) => users <= size) ?? sizes.at(-1)];
}

/**
 * The results of one database, a row per workload: the service's own figures, with those of the peer beside them.
 * @param {object[]} results what the harness wrote
 * @param {number} users
 * @param {'sqlite' | 'postgresql'} dialect
 */
export function rowsOf(results, users, dialect) {
  return results
    .filter(({ target }) => target.startsWith('ours'))
    .map((own) => {
      const workload = own.workload + own.target.slice('ours'.length);
      const peer = results.find(
        (other) => other.workload === own.workload && other.target === own.target.replace('ours', 'peer'),
      );
      const plain = results.find((other) => other.workload === own.workload && other.target === 'peer');
      return {
        workload,
        cpuMs: own.cpuPer1000,
        target: targetOf(workload, users),
        // how many times less CPU than the peer: with the peer measured in the same run, that decides
        factor: targets.ratios[dialect][workload],
        rate: own.rate,
        p50: own.p50,
        p99: own.p99,
        failed: own.broken ?? own.failed,
        errors: own.errors,
        // a peer without GraphQL has to do the same page by REST
        peerCpuMs: (peer ?? plain)?.cpuPer1000,
      };
    });
}

function workloadTable(rows) {
  const peer = rows.some(({ peerCpuMs }) => peerCpuMs !== undefined);
  const head = ['workload', 'CPU ms', 'at most', 'met', 'ops/s', 'p50 ms', 'p99 ms', 'wrong answers'];
  if (peer) head.push('peer CPU ms', 'peer ÷ ours', 'at least', 'met');
  const lines = rows.map((row) => {
    const cells = [row.workload, figure(row.cpuMs), row.target ?? '–', met(row.cpuMs, row.target)];
    cells.push(figure(row.rate), figure(row.p50), figure(row.p99), row.failed);
    if (peer) {
      const factor = row.peerCpuMs === undefined ? undefined : row.peerCpuMs / row.cpuMs;
      cells.push(figure(row.peerCpuMs), figure(factor, 2), figure(row.factor, 2), met(row.factor, factor));
    }
    return cells;
  });
  return table(head, lines);
}

const table = (head, lines) =>
  [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

function startTable({ rounds }) {
  const median = (of) => rounds.map(of).sort((a, b) => a - b)[rounds.length >> 1];
  const { seconds, mebibytes } = targets.start;
  const ready = median((round) => round.ready);
  const memory = median((round) => round.now);
  return table(
    ['start', 'measured', 'at most', 'met'],
    [
      ['first admin answer after, s', figure(ready), seconds, met(ready, seconds)],
      ['CPU of the start, s', figure(median((round) => round.cpu)), '–', '–'],
      ['resident memory when idle, MiB', figure(memory), mebibytes, met(memory, mebibytes)],
    ],
  );
}

/** The line in RESULTS.md before which a run writes. The sections below it are written by hand, from the output of other measurements. */
const end = '<!-- `npm run bench` replaces the text above this line. -->';

/**
 * The text of RESULTS.md with another run in its first sections.
 * @param {string} present the text so far, or an empty string
 * @param {Run} run
 */
export function withRun(present, run) {
  const [, others = '\n'] = present.split(end);
  return `${report(run)}\n${end}${others}`;
}

/**
 * The tables of a run, to be printed.
 * @param {Run} run
 */
export function tablesOf({ args, databases }) {
  const parts = Object.entries(databases).flatMap(([dialect, { results }]) => [
    `### ${databaseNames[dialect]}`,
    workloadTable(rowsOf(results, Number(args.users), dialect)),
  ]);
  return parts.join('\n\n');
}

/** The ratios of a run to the peer: a row for each workload that has a target, with those of each database. */
function ratiosOf({ args, databases }) {
  const rows = new Map();
  for (const [dialect, { results }] of Object.entries(databases)) {
    for (const { workload, cpuMs, peerCpuMs, factor } of rowsOf(results, Number(args.users), dialect)) {
      if (peerCpuMs === undefined || factor === undefined) continue;
      const row = rows.get(workload) ?? { workload, values: {} };
      row.values[dialect] = { ratio: peerCpuMs / cpuMs, atLeast: factor };
      rows.set(workload, row);
    }
  }
  return [...rows.values()];
}

/**
 * The picture of a run, or undefined if it was not measured beside the peer.
 * @returns {string | undefined} an SVG document
 */
export function picture(run) {
  const rows = ratiosOf(run);
  return rows.length === 0 ? undefined : ratioChart(rows);
}

/**
 * The first sections of RESULTS.md.
 * @param {Run} run
 */
function report({ date, machine, args, databases }) {
  const ratios = ratiosOf({ args, databases });
  const load = machine.load.map((value) => value.toFixed(1)).join(' before, ');
  const alone =
    machine.load[0] < 0.5
      ? 'Nothing else to speak of ran on it.'
      : 'Other programs ran beside it, so rates and latencies are lower bounds of what it does; CPU time suffers less.';
  const peerDatabase =
    args.peer === 'keycloak'
      ? 'on its own H2 database beside SQLite and on PostgreSQL beside PostgreSQL'
      : 'with its own H2 database';
  const peer = args.peer
    ? ` The peer, Keycloak 15.0.2 ${peerDatabase}, was measured in turn with it, round by round: **at least** is how many times less CPU than the peer the targets ask for, which decides where the speed of machines differs.`
    : '';
  const pass = Number(args['warm-pass'] ?? 0) > 0 ? ', behind a pass over all of them that does not count' : '';
  const graphql = `\`user-crawl GraphQL\` is the page of \`user-crawl\` (201 REST requests) by the one request of [user-page.graphql](user-page.graphql), always the first page: the pages of a connection follow each other by cursor.`;
  const parts = [
    '# Measurements',
    ...(ratios.length > 0
      ? [
          `![How many times less CPU per operation than the peer, for each workload and database](ratios.svg)`,
          conclusions(ratios),
        ]
      : []),
    `Made by \`npm run bench\` on ${date.slice(0, 10)}: a realm of ${args.users} users, ${args.rounds} rounds of ${args.seconds} s after a warm-up of ${args.warmup} s${pass}, by the harness that also measures the peers, which checks every answer.${peer}`,
    `Machine: ${machine.cores} cores (${machine.model}), ${machine.gibibytes} GiB of memory, Node ${machine.node}; load average ${load} after. ${alone} The harness ran on the same machine.`,
    `**CPU ms** are CPU milliseconds per operation, of the service and its database together; every commit is durable. ${graphql}`,
  ];
  for (const [dialect, { results, start, memoryMiB }] of Object.entries(databases)) {
    parts.push(`## ${databaseNames[dialect]}`, workloadTable(rowsOf(results, Number(args.users), dialect)));
    if (start) parts.push(startTable(start));
    const peak = memoryMiB?.ours?.peak;
    if (peak) parts.push(`Most memory during the workloads: ${Math.round(peak)} MiB.`);
  }
  return `${parts.join('\n\n')}\n`;
}
