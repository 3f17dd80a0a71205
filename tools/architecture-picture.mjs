// Renders docs/architecture.dot as docs/architecture.svg by Graphviz, with the colours of the reader's colour scheme. `npm run pictures` runs it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { instance } from '@viz-js/viz';

const source = fileURLToPath(new URL('../docs/architecture.dot', import.meta.url));

/** Fill and line of the boxes of each class. */
const schemes = {
  light: { text: '#1f2328', line: '#57606a', outside: '#ffffff', surface: '#f6f8fa', core: '#ddf4ff', data: '#fff8c5' },
  dark: { text: '#e6edf3', line: '#8b949e', outside: '#0d1117', surface: '#21262d', core: '#0c2d6b', data: '#3b2300' },
};

/** The first line of a box is its name. Lines are centred, so that their places do not depend on the font. */
const fonts =
  'text { font: 12px system-ui, sans-serif } .node text:first-of-type { font-size: 14px; font-weight: 600 }';

const rulesOf = ({ text, line, ...fills }) =>
  [
    `text { fill: ${text} }`,
    `path, polygon, polyline { stroke: ${line} }`,
    `.edge polygon { fill: ${line} }`,
    ...Object.entries(fills).map(([name, fill]) => `.${name} path { fill: ${fill} }`),
  ].join(' ');

/** @returns {Promise<string>} the picture as SVG */
export async function architecturePicture() {
  const graphviz = await instance();
  const svg = graphviz.renderString(readFileSync(source, 'utf8'), { format: 'svg' });
  const style = `<style>${fonts} ${rulesOf(schemes.light)}
@media (prefers-color-scheme: dark) { ${rulesOf(schemes.dark)} }</style>`;
  return svg
    .slice(svg.indexOf('<svg'))
    .replace(/<svg ([^>]*)>/, `<svg role="img" aria-label="Layers and the way of a request" $1>\n${style}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(source.replace(/dot$/, 'svg'), await architecturePicture());
}
