import type { Config } from '../../config/config.js';
import type { Answer } from '../../http/answer.js';
import { guidePage } from '../../http/pages/guide-page.js';
import { escapeHtml } from '../../http/pages/layout.js';
import { ownMember } from '../../services/core/json.js';
import { type Contract, contract, type Operation } from './contract.js';
import { operationSection, titleOf } from './operation.js';
import { exampleOf, fieldsOf, prose } from './schema.js';

/** The most operations that a search shows. */
const most = 50;

/** Pages by the contract and their path: they do not change. */
const made = new WeakMap<Contract, Map<string, Answer>>();

/**
 * The reference of the REST contract, made from the OpenAPI document: /reference lists and searches the operations,
 * /reference/user and others describe those of an area, and /reference/schemas/UserRepresentation and others a schema.
 * Undefined for other addresses.
 */
export async function referencePage(
  path: string,
  query: URLSearchParams,
  { restMount }: Config,
): Promise<Answer | undefined> {
  const described = await contract(restMount);
  const searched = query.get('q')?.trim().slice(0, 200) ?? '';
  if (path === '/reference' && searched !== '') return searchPage(described, searched);
  const pages = made.get(described) ?? new Map<string, Answer>();
  made.set(described, pages);
  const answer = pages.get(path) ?? pageAt(path, described, restMount === 'both');
  if (answer) pages.set(path, answer);
  return answer;
}

function pageAt(path: string, described: Contract, hasBothMounts: boolean): Answer | undefined {
  if (path === '/reference') return startPage(described, hasBothMounts);
  const [, kind, name = ''] = /^\/reference\/(schemas\/)?([\w-]+)$/.exec(path) ?? [];
  if (kind) return schemaPage(described, name, path);
  const area = described.areas.find((one) => one.name === name);
  if (!area) return undefined;
  const operations = area.operations.map((operation) => operationSection(operation, described.schemas));
  const article = `<h1>${area.title}</h1>\n${list(area.operations, () => '')}\n${operations.join('\n')}`;
  return page(described, area.title, article, path);
}

/** Operations as links to their descriptions, with what `below` says of each. */
const list = (operations: readonly Operation[], below: (operation: Operation) => string): string =>
  `<ul class="operations">
${operations.map((one) => `<li><a href="${one.address}">${titleOf(one)}</a>${below(one)}</li>`).join('\n')}
</ul>`;

/** Operations with their summaries. */
const summaries = (operations: readonly Operation[]): string =>
  list(operations, ({ summary }) => `<br><span>${prose(summary)}</span>`);

function startPage(described: Contract, hasBothMounts: boolean): Answer {
  const { areas } = described;
  const count = areas.reduce((sum, { operations }) => sum + operations.length, 0);
  const cards = areas.map(
    ({ name, title, operations }) =>
      `<li><a href="/reference/${name}"><strong>${title}</strong><span>${operations.length === 1 ? '1 operation' : `${operations.length} operations`}</span></a></li>`,
  );
  const other = hasBothMounts
    ? 'Every path except those below <code>/realms</code> is also available below <code>/auth/admin/realms</code>. '
    : '';
  return page(
    described,
    'REST reference',
    `<h1>REST reference</h1>
<p class="lead">The ${count} operations of the REST contract, with the permission that each requires.</p>
<p>${other}The <a href="/auth/openapi.json">OpenAPI document</a> is for generators of clients, and <a href="/docs/rest.md">How do I use the REST API?</a>
describes headers and errors. The commands expect the address of the server and a token, which an administrator gets so:</p>
<div class="copied"><pre tabindex="0"><code>${escapeHtml(start)}</code></pre></div>
<ul class="cards">
${cards.join('\n')}
</ul>`,
    '/reference',
  );
}

const start = `URL=http://localhost:8080
TOKEN=$(curl -s "$URL/auth/realms/master/protocol/openid-connect/token" \\
  -d grant_type=password -d client_id=admin-cli -d username=admin -d password=admin \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
realm=master`;

function searchPage(described: Contract, searched: string): Answer {
  const words = [...new Set(searched.toLowerCase().split(/\s+/))];
  const has = (text: string) => words.every((word) => text.includes(word));
  const found = described.areas.flatMap(({ operations }) => operations).filter((operation) => has(operation.searched));
  const named = Object.keys(described.schemas).filter((name) => has(name.toLowerCase()));
  const links = named.map((name) => `<li><a href="/reference/schemas/${name}">${name}</a></li>`);
  const count = found.length > most ? `The first ${most} of ${found.length} operations` : `${found.length} operations`;
  const article = `<h1>Search</h1>
<p class="lead" role="status">${count} with “${escapeHtml(searched)}”.</p>
${summaries(found.slice(0, most))}
${links.length > 0 ? `<h2>Schemas</h2>\n<ul>\n${links.join('\n')}\n</ul>` : ''}`;
  return page(described, 'Search', article, '/reference', searched);
}

function schemaPage(described: Contract, name: string, path: string): Answer | undefined {
  const { areas, schemas } = described;
  const schema = ownMember(schemas, name);
  if (!schema) return undefined;
  const reference = `"#/components/schemas/${name}"`;
  const users = areas
    .flatMap(({ operations }) => operations)
    .filter(({ body, answers }) => JSON.stringify([body, answers]).includes(reference));
  const example = JSON.stringify(exampleOf(schema, schemas), null, 2);
  return page(
    described,
    name,
    `<h1>${name}</h1>
${fieldsOf(schema)}
<h2>Example</h2>
<div class="copied"><pre tabindex="0"><code>${escapeHtml(example)}</code></pre></div>
${users.length > 0 ? `<h2>Operations</h2>\n${summaries(users)}` : ''}`,
    path,
  );
}

/** A page of the reference with its search beside it and the list of all areas. Its script copies commands, and sends requests. */
function page(described: Contract, title: string, article: string, path: string, searched = ''): Answer {
  const areas = described.areas.map(({ name, title: text }) => ({ path: `/reference/${name}`, title: text }));
  return guidePage({
    title: title === 'REST reference' ? title : `${title} - REST reference`,
    article: `${article}\n<script type="module" src="/assets/explorer/reference.js"></script>`,
    path,
    name: 'Reference',
    search: { action: '/reference', label: 'Search the reference', searched },
    groups: [
      { name: 'Reference', entries: [{ path: '/reference', title: 'Overview' }] },
      { name: 'Areas', entries: areas },
    ],
    sources: { 'script-src': "'self'", 'connect-src': "'self'" },
  });
}
