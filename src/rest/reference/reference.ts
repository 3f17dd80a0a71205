import type { Config } from '../../config/config.js';
import type { Answer } from '../../http/answer.js';
import { guidePage } from '../../http/pages/guide-page.js';
import { escapeHtml } from '../../http/pages/layout.js';
import { ownMember } from '../../services/core/json.js';
import { contract, type Operation } from './contract.js';
import { type Mount, operationSection, titleOf } from './operation.js';
import { exampleOf, fieldsOf, prose } from './schema.js';

/** The most operations that a search shows. */
const most = 50;

/**
 * The reference of the REST contract, made from the OpenAPI document: /reference lists and searches the operations,
 * /reference/user and others describe those of an area, and /reference/schemas/UserRepresentation and others a schema.
 * Undefined for other addresses.
 */
export function referencePage(path: string, query: URLSearchParams, { restMount }: Config): Answer | undefined {
  const mount: Mount = restMount === 'admin' ? '/auth/admin/realms' : '/auth';
  const searched = query.get('q')?.trim().slice(0, 200) ?? '';
  if (path === '/reference') return searched === '' ? startPage() : page('Search', results(searched), path, searched);
  const [, kind, name = ''] = /^\/reference\/(schemas\/)?([\w-]+)$/.exec(path) ?? [];
  if (kind) return schemaPage(name, path);
  const area = contract().areas.find((one) => one.name === name);
  if (!area) return undefined;
  const operations = area.operations.map((operation) => operationSection(operation, mount));
  return page(area.title, `<h1>${area.title}</h1>\n${list(area.operations, () => '')}\n${operations.join('\n')}`, path);
}

/** Operations as links to their descriptions, with what `below` says of each. */
const list = (operations: readonly Operation[], below: (operation: Operation) => string): string =>
  `<ul class="operations">
${operations.map((one) => `<li><a href="${one.address}">${titleOf(one)}</a>${below(one)}</li>`).join('\n')}
</ul>`;

/** Operations with their summaries. */
const summaries = (operations: readonly Operation[]): string =>
  list(operations, ({ summary }) => `<br><span>${prose(summary)}</span>`);

function startPage(): Answer {
  const { areas } = contract();
  const count = areas.reduce((sum, { operations }) => sum + operations.length, 0);
  const cards = areas.map(
    ({ name, title, operations }) =>
      `<li><a href="/reference/${name}"><strong>${title}</strong><span>${operations.length === 1 ? '1 operation' : `${operations.length} operations`}</span></a></li>`,
  );
  return page(
    'REST reference',
    `<h1>REST reference</h1>
<p class="lead">The ${count} operations of the REST contract, with the permission that each requires.</p>
<p>Every path except those below <code>/realms</code> is also available below <code>/auth/admin/realms</code>. The
<a href="/auth/openapi.json">OpenAPI document</a> is for generators of clients, and <a href="/docs/rest.md">How do I use the REST API?</a>
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

function results(searched: string): string {
  const { areas, schemas } = contract();
  const words = searched.toLowerCase().split(/\s+/);
  const has = (...texts: string[]) => words.every((word) => texts.join(' ').toLowerCase().includes(word));
  const found = areas
    .flatMap(({ operations }) => operations)
    .filter(({ method, path, summary, description }) => has(method, path, summary, description));
  const named = Object.keys(schemas).filter((name) => has(name));
  const links = named.map((name) => `<li><a href="/reference/schemas/${name}">${name}</a></li>`);
  const count = found.length > most ? `The first ${most} of ${found.length} operations` : `${found.length} operations`;
  return `<h1>Search</h1>
<p class="lead" role="status">${count} with “${escapeHtml(searched)}”.</p>
${summaries(found.slice(0, most))}
${links.length > 0 ? `<h2>Schemas</h2>\n<ul>\n${links.join('\n')}\n</ul>` : ''}`;
}

function schemaPage(name: string, path: string): Answer | undefined {
  const { areas, schemas } = contract();
  const schema = ownMember(schemas, name);
  if (!schema) return undefined;
  const reference = `"#/components/schemas/${name}"`;
  const users = areas
    .flatMap(({ operations }) => operations)
    .filter(({ body, answers }) => JSON.stringify([body, answers]).includes(reference));
  const example = JSON.stringify(exampleOf(schema), null, 2);
  return page(
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
function page(title: string, article: string, path: string, searched = ''): Answer {
  const areas = contract().areas.map(({ name, title: text }) => ({ path: `/reference/${name}`, title: text }));
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
