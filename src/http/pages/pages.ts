import type { IncomingMessage } from 'node:http';
import { openApiText } from '../../rest/openapi.js';
import type { Services } from '../../services/core/context.js';
import type { Answer } from '../answer.js';
import { readiness, type ServerCondition } from '../health.js';
import { metricsRefusal } from '../metrics-access.js';
import { consoleFiles } from './console.js';
import { icon } from './layout.js';
import { staticFiles } from './static-files.js';
import { welcomePage } from './welcome.js';
import { withAddressPrefix } from './with-address-prefix.js';

/** The answers to GET that belong to no surface, by their paths; undefined for other paths. */
export function fixedPages(
  services: Services,
  readMetrics: () => Promise<Answer>,
  condition: ServerCondition,
): (path: string, message: IncomingMessage) => Promise<Answer | undefined> {
  const { config } = services;
  const ready = readiness(services, condition);
  const explorerFile = staticFiles('dist/explorer');
  const consoleFile = config.console && !config.trustedDocumentsOnly ? consoleFiles() : undefined;
  const page = async (path: string, message: IncomingMessage): Promise<Answer | undefined> => {
    switch (path) {
      case '/':
        return welcomePage(config);
      case '/health/live':
        return { status: 200, body: { status: 'UP' } };
      case '/health/ready':
        return ready();
      case '/metrics':
        return metricsRefusal(message, config, false) ?? readMetrics();
      case '/auth/openapi.json':
        return { status: 200, body: await openApiText(), type: 'application/json', public: true };
      case '/assets/icon.svg':
        return icon;
    }
    const [, explorerName] = /^\/assets\/explorer\/([\w.-]+)$/.exec(path) ?? [];
    if (explorerName) return explorerFile(explorerName);
    const ofConsole = await consoleFile?.(path, message);
    if (ofConsole) return ofConsole;
    if (path === '/schema/schema.graphql' && config.graphqlIntrospection !== 'everybody') return undefined;
    if (/^\/reference\b/.test(path)) {
      const { referencePage } = await import('../../rest/reference/reference.js');
      return referencePage(path, queryOf(message), config);
    }
    if (!/^\/(docs|schema|[A-Z]+\b)/.test(path)) return undefined;
    // the renderer of documents is loaded with the first of them
    const { documentPage } = await import('./documents.js');
    return documentPage(path, queryOf(message));
  };
  return async (path, message) => {
    const answer = await page(path, message);
    return answer && withAddressPrefix(answer, config);
  };
}

const queryOf = ({ url }: IncomingMessage): URLSearchParams => new URLSearchParams(url?.split('?')[1]);
