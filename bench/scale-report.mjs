// Turns the measurements of scale.mjs into Markdown tables.
import { cpus } from 'node:os';
import { table } from './client.mjs';

const ms = (value) =>
  value === undefined ? 'failed' : value >= 100 ? String(Math.round(value)) : value.toPrecision(3);

function deletionReport(results) {
  const lines = Object.entries(results).map(([dialect, { deleted }]) => {
    const { seconds, removed, failed, reader, writer } = deleted;
    return [
      dialect,
      seconds.toFixed(2),
      removed.toFixed(1),
      ms(reader.p50),
      ms(reader.max),
      ms(writer.p50),
      ms(writer.max),
      failed,
    ];
  });
  const waits = ['read p50 ms', 'read at most ms', 'write p50 ms', 'write at most ms'];
  return [
    '### Deleting the large realm while others work',
    table(['database', 'answer after, s', 'rows gone after, s', ...waits, 'failed'], lines),
  ];
}

/**
 * Markdown tables of what scale.mjs measured.
 * @param {Record<string, object>} results by database
 * @param {Record<string, string | boolean | undefined>} args the options of the command line
 */
export function report(results, args) {
  if (args.only === 'deletion') return deletionReport(results).join('\n\n');
  const dialects = Object.keys(results);
  const first = results[dialects[0]];
  const columns = (head) => dialects.flatMap((dialect) => head.map((name) => `${dialect} ${name}`));
  const lines = (of) =>
    Object.keys(of(first)).map((name) => [name, ...dialects.map((dialect) => of(results[dialect])[name])]);
  const counts = `${args.users} users, ${args.groups} groups, ${args.clients} clients; ${args.realms} realms`;
  const growth = [
    ...lines(({ small }) => small.before).map(([name]) => [
      `${name}, p50 ms`,
      ...dialects.flatMap((dialect) => {
        const { before, after } = results[dialect].small;
        return [ms(before[name].p50), ms(after[name].p50)];
      }),
    ]),
    [
      'start, s',
      ...dialects.flatMap((dialect) => Object.values(results[dialect].starts).map((value) => value.toFixed(2))),
    ],
    ['token of the administrator, bytes', ...dialects.flatMap((dialect) => Object.values(results[dialect].tokens))],
  ];
  return [
    `### A large realm (${counts}; ${cpus().length} cores)`,
    table(
      ['request', ...columns(['p50 ms', 'p99 ms'])],
      lines(({ answers }) => answers).map(([name, ...figures]) => [
        name,
        ...figures.flatMap(({ p50, p99 }) => [ms(p50), ms(p99)]),
      ]),
    ),
    `### A small realm among few and among ${args.realms} realms`,
    table(['request', ...columns(['3 realms', `${args.realms} realms`])], growth),
    ...deletionReport(results),
  ].join('\n\n');
}
