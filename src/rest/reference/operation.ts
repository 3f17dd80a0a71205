import { escapeHtml } from '../../http/pages/layout.js';
import type { Body, Operation, Schemas } from './contract.js';
import { exampleOf, prose, table, typeOf } from './schema.js';

/** The method and path of an operation as HTML. */
export const titleOf = ({ method, path }: Operation): string =>
  `<span class="method">${method}</span> <code>${escapeHtml(path).replaceAll('/', '<wbr>/')}</code>`;

/** An operation: its parameters, bodies, and answers, how it is sent by curl, and the place of the form that sends it. */
export function operationSection(operation: Operation, schemas: Schemas): string {
  const id = operation.address.split('#')[1] ?? '';
  const { summary, description, parameters, body, answers } = operation;
  const example = body && exampleIn(body, schemas);
  const answer = answers.find((one) => one.body);
  const rows = parameters.map(
    ({ name, in: place }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}</td><td>${place === 'path' ? 'yes' : 'no'}</td></tr>`,
  );
  const answerRows = answers.map(
    ({ status, description: text, body: sent }) =>
      `<tr><td>${status === 'default' ? 'others' : status}</td><td>${prose(text)}</td><td>${sent ? bodyType(sent) : ''}</td></tr>`,
  );
  return `<section class="operation" aria-labelledby="${id}">
<h2 id="${id}"><a href="#${id}">${titleOf(operation)}</a></h2>
<div class="columns">
<div>
<p>${prose(summary)}</p>
<p class="quiet">${prose(description)}</p>
${rows.length > 0 ? `<h3>Parameters</h3>\n${table(['Name', 'In', 'Required'], rows)}` : ''}
${body ? `<h3>Body</h3>\n<p>${bodyType(body)}${body.isRequired ? '' : ', optional'}</p>` : ''}
<h3>Answers</h3>
${table(['Status', 'Description', 'Body'], answerRows)}
</div>
<div>
<h3>Request</h3>
<div class="copied"><pre tabindex="0"><code>${escapeHtml(curlOf(operation, example))}</code></pre></div>
${exampleDetails('Example of the body', example)}
${exampleDetails('Example of the answer', answer?.body && exampleIn(answer.body, schemas))}
${formPlace(operation, example)}
</div>
</div>
</section>`;
}

const bodyType = ({ type, schema }: Body): string =>
  `${typeOf(schema)} <span class="quiet">(${escapeHtml(type)})</span>`;

/** An example of a body: in few lines for commands, and to be read. */
interface Example {
  short: string;
  readable: string;
}

function exampleIn({ type, schema }: Body, schemas: Schemas): Example | undefined {
  if (type === 'text/plain') return { short: 'text', readable: 'text' };
  if (!/json/.test(type)) return undefined;
  const example = exampleOf(schema, schemas);
  return { short: JSON.stringify(example), readable: JSON.stringify(example, null, 2) };
}

const exampleDetails = (title: string, example: Example | undefined): string =>
  example
    ? `<details><summary>${title}</summary><pre tabindex="0"><code>${escapeHtml(example.readable)}</code></pre></details>`
    : '';

const addressOf = ({ path }: Operation): string => `/auth${path}`.replace(/\/$/, '');

/** Characters of a body that stands in the command itself. */
const shortest = 120;

/** The command that sends an operation. The parameters of its path, the address, and the token are variables of the shell. */
function curlOf(operation: Operation, { short }: Example = { short: '', readable: '' }): string {
  const { method, body, hasToken } = operation;
  const path = addressOf(operation).replace(/\{([\w-]+)\}/g, (_, name: string) => `$${name.replaceAll('-', '_')}`);
  const sent =
    body?.type === 'multipart/form-data'
      ? ["-F 'file=@file'"]
      : body
        ? [`-H 'Content-Type: ${body.type}'`, short.length > shortest ? "-d '@body.json'" : `-d '${short}'`]
        : [];
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$URL${path}"`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...sent,
  ].join(' \\\n  ');
}

/** Where the script of the page makes a form, which sends the operation with the token of the login. Files are sent by curl. */
function formPlace(operation: Operation, example: Example | undefined): string {
  const { method, parameters, body } = operation;
  if (body?.type === 'multipart/form-data') return '';
  const queries = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const values = {
    method,
    path: addressOf(operation),
    queries: queries.join(' '),
    ...(body && { type: body.type, body: example?.readable ?? '' }),
  };
  const data = Object.entries(values).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`);
  return `<details class="try" hidden ${data.join(' ')}><summary>Try it</summary></details>`;
}
