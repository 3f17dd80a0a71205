import type { IncomingMessage } from 'node:http';
import { openApiText } from '../rest/openapi.js';
import { welcomePage } from '../rest/welcome.js';
import type { Services } from '../services/core/context.js';
import type { Answer } from './answer.js';
import { readiness } from './health.js';
import { metricsRefusal } from './metrics-access.js';

/** The answers to GET that belong to no surface, by their paths; undefined for other paths. */
export function fixedPages(
  services: Services,
  readMetrics: () => Promise<Answer>,
): (path: string, message: IncomingMessage) => Promise<Answer | undefined> {
  const { config } = services;
  const ready = readiness(services);
  return async (path, message) => {
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
        return { status: 200, body: openApiText(), type: 'application/json', public: true };
      default:
        return undefined;
    }
  };
}
