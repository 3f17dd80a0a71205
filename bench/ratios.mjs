// How many times less CPU than the peer each workload takes: a chart, and what to conclude from it.
import { barChart } from './bar-chart.mjs';

const colors = { sqlite: '#5b6ee1', postgresql: '#1f9d8a' };
export const databaseNames = { sqlite: 'SQLite', postgresql: 'PostgreSQL' };

/** A figure of so many digits, or a dash where there is none. */
export const figure = (value, digits = 3) => {
  if (value === undefined || value === null || !Number.isFinite(value)) return '–';
  return value >= 10 ** digits ? String(Math.round(value)) : String(Number(value.toPrecision(digits)));
};

/**
 * A chart of ratios, one row for each workload and one bar for each database, with a mark at each target.
 * @param {{ workload: string, values: Partial<Record<'sqlite' | 'postgresql', { ratio: number, atLeast?: number }>> }[]} rows
 * @returns {string} an SVG document
 */
export function ratioChart(rows) {
  const dialects = Object.keys(databaseNames).filter((dialect) => rows.some(({ values }) => values[dialect]));
  return barChart({
    title: 'How many times less CPU per operation than Keycloak 15.0.2',
    subtitle: 'Service and database together, measured in turn. 1: as much as Keycloak. Black marks: targets.',
    series: dialects.map((dialect) => ({ name: databaseNames[dialect], color: colors[dialect] })),
    rows: rows.map(({ workload, values }) => ({
      label: `${workload}   ${dialects.map((dialect) => figure(values[dialect]?.ratio, 2)).join(' · ')}`,
      bars: dialects.map(
        (dialect) => values[dialect] && { value: values[dialect].ratio, mark: values[dialect].atLeast },
      ),
    })),
  });
}

/** Workloads of one kind, for the conclusions. */
const kinds = {
  Reads:
    /^(get-user|count-users|effective-roles|list-users|search-users|search-users-rare|group-members|list-sessions|user-crawl)$/,
  Writes: /^(create-user|update-user|delete-user|join-group|add-role-mapping|crud-role|crud-group|crud-client)$/,
  'Logins and refreshed tokens': /^(login|refresh)$/,
  Imports: /import/,
};

/**
 * What a reader should conclude, as the lines of a list.
 * @param {Parameters<typeof ratioChart>[0]} rows
 * @returns {string} Markdown
 */
export function conclusions(rows) {
  const spanOf = (pattern) =>
    Object.keys(databaseNames)
      .flatMap((dialect) => {
        const found = rows.flatMap(({ workload, values }) =>
          pattern.test(workload) && values[dialect] ? values[dialect].ratio : [],
        );
        if (found.length === 0) return [];
        const [least, most] = [figure(Math.min(...found), 2), figure(Math.max(...found), 2)];
        return `${least === most ? least : `${least} to ${most}`} on ${databaseNames[dialect]}`;
      })
      .join(', ');
  const lines = Object.entries(kinds).flatMap(([kind, pattern]) => {
    const span = spanOf(pattern);
    return span ? `- **${kind}**: the CPU of the peer divided by ours is ${span}.` : [];
  });
  const page = spanOf(/^user-crawl GraphQL$/);
  if (page)
    lines.push(`- **A page of 50 users** by one GraphQL request instead of 201 REST requests of the peer: ${page}.`);
  const missed = rows.flatMap(({ workload, values }) =>
    Object.entries(values).flatMap(([dialect, { ratio, atLeast }]) =>
      ratio < atLeast ? `${workload} (${databaseNames[dialect]}: ${figure(ratio, 2)} of ${atLeast})` : [],
    ),
  );
  const all = rows.flatMap(({ values }) => Object.keys(values)).length;
  lines.push(
    `- **${all - missed.length} of ${all} targets are met.**${missed.length > 0 ? ` Missed: ${missed.join(', ')}.` : ''}`,
  );
  return lines.join('\n');
}
