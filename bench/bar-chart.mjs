// A chart with horizontal bars on a logarithmic scale, as SVG.

const font = 'font-family="sans-serif"';
const color = { text: '#222633', faint: '#6e7079', grid: '#e3e5ee', mark: '#111318' };
const size = { width: 860, left: 250, right: 24, top: 72, bottom: 34, row: 34, bar: 11, gap: 2 };

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const rounded = (value) => Number(value.toFixed(1));

/**
 * A row has a label and a value for each series, which may be missing. The bars begin at the lower end of the scale, which covers the powers
 * of two around all values. A value can have a mark, for example its target. A line is drawn at 1.
 * @param {{
 *   title: string, subtitle: string,
 *   series: { name: string, color: string }[],
 *   rows: { label: string, bars: ({ value: number, mark?: number } | undefined)[] }[],
 * }} chart
 * @returns {string} an SVG document
 */
export function barChart({ title, subtitle, series, rows }) {
  const values = rows.flatMap(({ bars }) => bars.flatMap((bar) => (bar ? [bar.value, bar.mark ?? bar.value] : [])));
  const first = Math.floor(Math.log2(Math.min(1, ...values)));
  const last = Math.ceil(Math.log2(Math.max(2, ...values)));
  const height = size.top + rows.length * size.row + size.bottom;
  const end = height - size.bottom;
  const across = (value) => {
    const share = (Math.log2(value) - first) / (last - first);
    return rounded(size.left + share * (size.width - size.left - size.right));
  };
  const line = (x, stroke, width) =>
    `<path d="M${x} ${size.top}V${end}" stroke="${stroke}" stroke-width="${width}" fill="none"/>`;
  const text = (x, y, attributes, content) =>
    `<text x="${x}" y="${y}" ${font} ${attributes}>${escaped(content)}</text>`;

  const scale = Array.from({ length: last - first + 1 }, (_, at) => 2 ** (first + at)).flatMap((value) => [
    line(across(value), color.grid, 1),
    text(across(value), end + 18, `font-size="12" fill="${color.faint}" text-anchor="middle"`, String(value)),
  ]);
  const legend = series.map((each, at) => {
    const x = size.width - size.right - (series.length - at) * 92;
    return `<rect x="${x}" y="14" width="22" height="12" rx="3" fill="${each.color}"/>${text(x + 28, 24, `font-size="12" fill="${color.text}"`, each.name)}`;
  });
  const drawn = rows.flatMap(({ label, bars }, at) => {
    const middle = size.top + (at + 0.5) * size.row;
    const thickness = size.bar + size.gap;
    const top = (index) => rounded(middle - (series.length * thickness - size.gap) / 2 + index * thickness);
    return [
      text(
        size.left - 8,
        middle + 4,
        `font-size="12" fill="${color.text}" text-anchor="end" xml:space="preserve"`,
        label,
      ),
      ...bars.flatMap((bar, index) => {
        if (!bar) return [];
        const width = rounded(across(bar.value) - size.left);
        const y = top(index);
        const mark =
          bar.mark === undefined
            ? []
            : [`<rect x="${rounded(across(bar.mark) - 1)}" y="${y - 2}" width="2" height="15" fill="${color.mark}"/>`];
        return [
          `<rect x="${size.left}" y="${y}" width="${width}" height="${size.bar}" fill="${series[index].color}"/>`,
          ...mark,
        ];
      }),
    ];
  });
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${height}" viewBox="0 0 ${size.width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${size.width}" height="${height}" fill="#ffffff"/>`,
    text(12, 26, `font-size="18" font-weight="bold" fill="${color.text}"`, title),
    text(12, 48, `font-size="12" fill="${color.faint}"`, subtitle),
    ...legend,
    ...scale,
    ...drawn,
    line(across(1), color.text, 1.5),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}
