import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Config } from '../config/config.js';
import type { Answer } from './answer.js';
import { connections, listen } from './listening.js';
import { send } from './send.js';

export type MetricsSettings = Pick<Config, 'metricsPort' | 'metricsToken' | 'trustProxy'>;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const notFound: Answer = { status: 404, body: { error: 'Not found' } };
const wantsToken: Answer = {
  status: 401,
  headers: { 'www-authenticate': 'Bearer realm="metrics"' },
  body: { error: 'METRICS_TOKEN is required as bearer token' },
};

/** What a proxy adds to a request. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

const isOfThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
  /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') &&
  !proxyHeaders.some((name) => headers[name] !== undefined);

/**
 * The reason not to show the metrics at `port`. With METRICS_PORT they are shown only there, with METRICS_TOKEN only to
 * callers that send it; with neither, only to programs on the same machine, and to none behind a proxy.
 */
export function metricsRefusal(
  message: IncomingMessage,
  settings: MetricsSettings,
  ownPort: boolean,
): Answer | undefined {
  const { metricsPort, metricsToken, trustProxy } = settings;
  if (metricsPort !== undefined && !ownPort) return notFound;
  if (metricsToken !== undefined) {
    const sent = /^bearer +(\S+) *$/i.exec(message.headers.authorization ?? '')?.[1] ?? '';
    return timingSafeEqual(digest(sent), digest(metricsToken)) ? undefined : wantsToken;
  }
  return ownPort || (!trustProxy && isOfThisMachine(message)) ? undefined : notFound;
}

/** Opens METRICS_PORT, which serves `/metrics` and nothing else. Undefined without the setting. */
export async function listenForMetrics(config: Config, read: () => Promise<Answer>): Promise<Server | undefined> {
  const { metricsPort } = config;
  if (metricsPort === undefined) return undefined;
  const server = createServer(connections(config), (message, response) => {
    const asks = message.url?.split('?', 1)[0] === '/metrics' && /^(GET|HEAD)$/.test(message.method ?? '');
    const refusal = asks ? metricsRefusal(message, config, true) : notFound;
    message.resume();
    (refusal ? Promise.resolve(refusal) : read()).then(
      (answer) => send(response, answer, message.method === 'HEAD'),
      () => response.destroy(),
    );
  });
  await listen(server, { ...config, port: metricsPort });
  return server;
}
