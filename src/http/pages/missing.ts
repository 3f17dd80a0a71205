import type { IncomingMessage } from 'node:http';
import type { Answer } from '../answer.js';
import { requestIdOf } from '../authenticate.js';
import { escapeHtml, htmlPage } from './layout.js';

const notFound: Answer = { status: 404, body: { error: 'Not found' } };

/** The answer to an address that belongs to no surface: a page for browsers, JSON for others. */
export function missingPage(message: IncomingMessage, path: string): Answer {
  if (!message.headers.accept?.includes('text/html')) return notFound;
  return htmlPage(
    'Not found',
    `<div class="problem">
<h1>Not found</h1>
<p class="notice">This server has nothing at <code>${escapeHtml(path.slice(0, 200))}</code>.</p>
<p>Reference: ${escapeHtml(requestIdOf(message))}</p>
<p><a class="button" href="/">To the start page</a></p>
</div>`,
    404,
  );
}
