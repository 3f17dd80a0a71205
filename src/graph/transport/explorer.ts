import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { projectFolder } from '../../config/project.js';
import type { Answer } from '../../http/answer.js';
import { contentPolicy } from '../../http/content-policy.js';

/**
 * Policy of the page: only its own scripts and workers, requests only to this server, and no framing by other pages.
 */
const policy = contentPolicy({
  'script-src': "'self'",
  'worker-src': "'self' blob:",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: https:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
});

/** Whether a browser requests a page. */
export const isExplorerRequest = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true;

/** The page of GraphiQL, which `explorer/` is built to. */
export async function explorerPage(): Promise<Answer> {
  const body = await readFile(join(projectFolder, 'dist/explorer/index.html'), 'utf8');
  return {
    status: 200,
    body,
    type: 'text/html;charset=UTF-8',
    headers: { 'content-security-policy': policy },
  };
}
