// How many times less CPU than the peer each workload takes: a chart, and what to conclude from it.
import * as echarts from 'echarts';

const colors = { sqlite: '#5b6ee1', postgresql: '#1f9d8a' };
export const databaseNames = { sqlite: 'SQLite', postgresql: 'PostgreSQL' };
const title = 'How many times less CPU per operation than Keycloak 15.0.2';
const rowHeight = 34;

/** A figure of so many digits, or a dash where there is none. */
export const figure = (value, digits = 3) => {
  if (value === undefined || value === null || !Number.isFinite(value)) return '–';
  return value >= 10 ** digits ? String(Math.round(value)) : String(Number(value.toPrecision(digits)));
};

/** The logarithmic scale is that of the power of two below and above all values. */
const rounded = (value, round) => 2 ** round(Math.log2(value));

/** The name of a row with its ratios, which would cover marks beside the bars. */
const labelOf = ({ workload, values }, dialects) =>
  `${workload}   ${dialects.map((dialect) => figure(values[dialect]?.ratio, 2)).join(' · ')}`;

/**
 * A chart of ratios, one row for each workload and one bar for each database, with a mark at each target.
 * @param {{ workload: string, values: Partial<Record<'sqlite' | 'postgresql', { ratio: number, atLeast?: number }>> }[]} rows
 * @returns {string} an SVG document
 */
export function ratioChart(rows) {
  const dialects = Object.keys(databaseNames).filter((dialect) => rows.some(({ values }) => values[dialect]));
  const all = rows.flatMap(({ values }) =>
    Object.values(values).flatMap(({ ratio, atLeast = ratio }) => [ratio, atLeast]),
  );
  const drawn = echarts.init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: 860,
    height: 110 + rows.length * rowHeight,
  });
  const gap = 0.23;
  drawn.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: {
      text: title,
      subtext:
        'Service and database together, measured in turn; 1 is as much as Keycloak, the black marks are the targets',
      left: 12,
      top: 8,
    },
    legend: { data: dialects.map((dialect) => databaseNames[dialect]), right: 16, top: 12 },
    grid: { left: 250, right: 24, top: 72, bottom: 34 },
    xAxis: {
      type: 'log',
      logBase: 2,
      min: rounded(Math.min(1, ...all), Math.floor),
      max: rounded(Math.max(2, ...all), Math.ceil),
      splitLine: { lineStyle: { color: '#e3e5ee' } },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: rows.map(({ workload }) => workload),
      axisTick: { show: false },
      axisLabel: { color: '#222633', formatter: (_name, at) => labelOf(rows[at], dialects) },
    },
    series: dialects.flatMap((dialect, at) => [
      {
        name: databaseNames[dialect],
        type: 'bar',
        barWidth: 11,
        barGap: '15%',
        itemStyle: { color: colors[dialect] },
        data: rows.map(({ values }) => values[dialect]?.ratio ?? '-'),
        ...(at === 0 && {
          markLine: {
            silent: true,
            symbol: 'none',
            label: { show: false },
            lineStyle: { color: '#222633', type: 'solid', width: 1.5 },
            data: [{ xAxis: 1 }],
          },
        }),
      },
      {
        type: 'scatter',
        symbol: 'rect',
        symbolSize: [2, 15],
        symbolOffset: [0, dialects.length > 1 ? (at === 0 ? -1 : 1) * rowHeight * gap * 0.8 : 0],
        itemStyle: { color: '#111318' },
        data: rows.flatMap(({ workload, values }) =>
          values[dialect]?.atLeast === undefined ? [] : [[values[dialect].atLeast, workload]],
        ),
      },
    ]),
  });
  const svg = drawn.renderToSVGString();
  drawn.dispose();
  return `${svg.replace('>', `><title>${title}</title>`)}\n`;
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
