// The results of `tools/mutants.mjs run` as Markdown.

const layerOf = ({ file }) => file.split('/')[1];
const cell = ({ outcome, by } = {}) =>
  outcome === 'killed'
    ? by.map(({ path }) => path.replace('test/', '').replace('.test.ts', '')).join(', ')
    : (outcome ?? '–');
const isFound = (result) => result?.outcome === 'killed' || result?.outcome === 'timeout';

/**
 * How many faults each suite finds by layer, and a row for each fault with the test file that finds it.
 * @param {object[][]} suites one or two results, the earlier one first
 * @returns {string}
 */
export function tableOf(suites) {
  const [first = []] = suites;
  const byId = suites.map((results) => new Map(results.map((result) => [result.id, result])));
  const heads = suites.length > 1 ? ['before', 'after'] : ['found by'];
  const count = (results) => results.filter(isFound).length;
  const layers = [...new Set(first.map(layerOf))].map((layer) => [
    layer,
    first.filter((result) => layerOf(result) === layer).length,
    ...suites.map((results) => count(results.filter((result) => layerOf(result) === layer))),
  ]);
  const total = ['all', first.length, ...suites.map(count)];
  const rows = first.map(({ id, line, file, operator }) => [
    `${file.replace('src/', '')}:${line}`,
    operator.replaceAll('|', '\\|'),
    ...byId.map((results) => cell(results.get(id))),
  ]);
  const lost = suites.length > 1 ? first.filter((result) => isFound(result) && !isFound(byId[1].get(result.id))) : [];
  return [
    table(
      ['layer', 'faults', ...heads.map((head) => (suites.length > 1 ? `found ${head}` : 'found'))],
      [...layers, total],
    ),
    ...(suites.length > 1 ? [`Lost: ${lost.map(({ id }) => `\`${id}\``).join(', ') || 'none'}.`] : []),
    table(['place', 'fault', ...heads], rows),
  ].join('\n\n');
}

const table = (head, lines) =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
