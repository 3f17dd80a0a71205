import { Box, Table, Text, VisuallyHidden } from '@mantine/core';

export interface Bar {
  label: string;
  value: number;
}

const height = 140;

/** A chart of bars. Readers of the screen get the same numbers as a table. */
export function Bars({ bars, title, unit }: { bars: Bar[]; title: string; unit: string }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const width = 100 / bars.length;
  return (
    <Box>
      <svg width="100%" height={height} viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {[0.25, 0.5, 0.75, 1].map((part) => (
          <line
            key={part}
            x1="0"
            x2="100"
            y1={height - part * (height - 4)}
            y2={height - part * (height - 4)}
            stroke="var(--mantine-color-default-border)"
            strokeWidth="1"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {bars.map(({ label, value }, at) => {
          const length = Math.max(value === 0 ? 1 : 3, (value / most) * (height - 4));
          return (
            <rect
              key={label}
              x={at * width + width * 0.15}
              width={width * 0.7}
              y={height - length}
              height={length}
              fill={value === 0 ? 'var(--mantine-color-default-border)' : 'var(--mantine-primary-color-filled)'}
            >
              <title>{`${label}: ${value}`}</title>
            </rect>
          );
        })}
      </svg>
      <Box display="flex" style={{ justifyContent: 'space-between' }} aria-hidden="true">
        {bars
          .filter((_, at) => at % 6 === 0 || at === bars.length - 1)
          .map(({ label }) => (
            <Text key={label} size="xs" c="dimmed">
              {label}
            </Text>
          ))}
      </Box>
      <VisuallyHidden>
        <Table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </VisuallyHidden>
    </Box>
  );
}
