import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Services } from '../services/core/context.js';
import { Refusal } from '../services/core/refusal.js';
import { createOutages } from '../telemetry/outages.js';
import type { Span } from '../telemetry/tracer.js';
import { acceptPrefix } from './address-prefix.js';
import type { Answer, Handled } from './answer.js';
import { addressOf, requestIdOf } from './authenticate.js';
import { failure } from './errors.js';
import { metricsReader, type ServerCondition } from './health.js';
import { hostObjection, unclearHost } from './host-header.js';
import { createMetrics, type Metrics } from './metrics.js';
import { missingPage } from './pages/missing.js';
import { fixedPages } from './pages/pages.js';
import { createRequestLimiter } from './request-limiter.js';
import { describeAnswer, inRequestSpan } from './request-span.js';
import { send } from './send.js';
import { answered, createSurfaces, inFormOf, surfaceOf } from './surfaces.js';
import { refuseUpgrade } from './upgrade.js';

interface Listeners {
  request(message: IncomingMessage, response: ServerResponse): void;
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void;
  readMetrics(): Promise<Answer>;
  /** the metrics of this process */
  metricValues: Metrics['values'];
}

/** What answers the requests of a server: each goes to the surface that its path names, or gets a fixed page. */
export function requestListeners(services: Services, condition: ServerCondition): Listeners {
  const { log, database } = services;
  const limiter = createRequestLimiter(services.config);
  const surfaces = createSurfaces(services, limiter);
  const metrics = createMetrics(database, limiter);
  const overload = createOutages(log, {
    failed: 'requests are answered with 503: more arrive than are answered',
    continues: 'requests are still answered with 503',
    recovered: 'all requests are answered again',
  });
  const readMetrics = metricsReader(metrics, log);
  const page = fixedPages(services, readMetrics, condition);

  const respond = async (message: IncomingMessage, response: ServerResponse, span?: Span): Promise<void> => {
    const unclear = hostObjection(message);
    if (unclear) {
      send(response, unclearHost(unclear));
      return;
    }
    const isAllowed = acceptPrefix(message, services.config);
    const [path = '/', search = ''] = (message.url ?? '/').split('?', 2);
    const done = measured(services, metrics, message, path, span);
    response.setHeader('x-request-id', requestIdOf(message));
    const isRead = message.method === 'GET' || message.method === 'HEAD';
    const fixed = isAllowed && isRead ? await page(path, message) : undefined;
    if (fixed) return done('page', answered(message, response, path, fixed));
    const surface = isAllowed ? surfaceOf(path) : undefined;
    if (!surface) return done('page', answered(message, response, 'unknown', missingPage(message, path)));
    try {
      await limiter.run(message, response, async () =>
        done(surface, await surfaces[surface](message, response, path, search)),
      );
      overload.succeeded();
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'busy') overload.failed({ reason: error.message });
      const answer = inFormOf(surface, failure(error, log, requestIdOf(message)), message);
      done(surface, answered(message, response, 'unknown', answer));
    }
  };

  return {
    readMetrics,
    metricValues: metrics.values,
    request(message, response) {
      // a proxy does not send another request on a connection that is about to be closed
      if (condition.isDraining()) response.shouldKeepAlive = false;
      const answer = (span?: Span) =>
        respond(message, response, span).catch((error) => send(response, failure(error, log, requestIdOf(message))));
      inRequestSpan(message, answer).finally(() => {
        // an answer ahead of the end of the body: the rest of it is passed over, also by a reader that has started
        if (!message.complete) message.removeAllListeners('readable').resume();
        // one that goes on sees to that by itself
        if (response.writableEnded) limiter.watchDelivery(response);
      });
    },
    upgrade(message, socket, head) {
      const isGraphql = () => surfaceOf(message.url?.split('?', 1)[0] ?? '/') === 'graphql';
      const refusal = hostObjection(message) ? '400 Bad Request' : isGraphql() ? undefined : '404 Not Found';
      if (refusal) {
        refuseUpgrade(socket, refusal);
        return;
      }
      surfaces.graphqlHandler().then(
        (handler) => handler.upgrade(message, socket, head),
        () => socket.destroy(),
      );
    },
  };
}

/** Starts to measure a request; the returned function counts and logs it once it is answered. */
function measured(
  { log, config }: Pick<Services, 'log' | 'config'>,
  metrics: Metrics,
  message: IncomingMessage,
  path: string,
  span: Span | undefined,
) {
  const started = performance.now();
  return (surface: string, handled: Handled): void => {
    const { operation, status } = handled;
    const elapsed = performance.now() - started;
    metrics.answered(surface, operation, status, elapsed / 1000);
    if (span) describeAnswer(span, message, { surface, ...handled });
    const line = { requestId: requestIdOf(message), method: message.method, path, operation, status, ms: elapsed };
    if (config.accessLog) log.info({ ...line, address: addressOf(message, config.trustProxy) }, 'answered');
    else log.debug(line, 'answered');
  };
}
