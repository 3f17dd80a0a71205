import type { IncomingMessage, ServerResponse } from 'node:http';
import { Gauge, Registry } from 'prom-client';
import { type Admission, createAdmission } from './admission.js';
import type { Config } from './config.js';
import { bodyBegun, hasBody, keepPace } from './slow-clients.js';

/** Through which every request for work comes in and its answer goes out. */
export interface Gate {
  /**
   * Runs `work` once there is a place for the request and its body has begun to arrive. Undefined when the client was
   * gone before; throws `busy` at once when there are too many requests already.
   */
  pass<R>(message: IncomingMessage, response: ServerResponse, work: () => Promise<R>): Promise<R | undefined>;
  /** The same for work that takes a large body: few of these are in memory together. Others go straight through. */
  passLarge<R>(message: IncomingMessage, response: ServerResponse, work: () => Promise<R>): Promise<R | undefined>;
  /** Sees that an answer that has been handed over is taken, or ends its connection. */
  dismiss(response: ServerResponse): void;
  /** How many requests are in work and how many wait, in the Prometheus exposition format. */
  metrics(): Promise<string>;
}

export type GateSettings = Pick<Config, 'bodyLimit' | 'clientTimeout' | 'maxConcurrentRequests' | 'maxQueuedRequests'>;

/** Times in milliseconds. */
const patience = 5000;
const largeBodies = { running: 2, waiting: 16, patience: 60_000 };
const tokenEndpoint = /^\/auth\/realms\/[^/]+\/protocol\/openid-connect\/token\/?(\?|$)/;

/** Makes the gate of one server. */
export function createGate(settings: GateSettings): Gate {
  const { bodyLimit, clientTimeout, maxConcurrentRequests, maxQueuedRequests } = settings;
  const requests = createAdmission({ running: maxConcurrentRequests, waiting: maxQueuedRequests, patience });
  // anybody can have passwords hashed; that must not take the places of those who have a token
  const tokens = createAdmission({
    running: Math.ceil(maxConcurrentRequests / 4),
    waiting: Math.ceil(maxQueuedRequests / 4),
    patience,
  });
  const large = createAdmission(largeBodies);
  const pace = keepPace({ timeout: clientTimeout * 1000 });

  async function within<R>(admission: Admission, response: ServerResponse, work: () => Promise<R>) {
    const leave = await admission.enter(response);
    if (!leave) return undefined;
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return {
    async pass(message, response, work) {
      const admission = message.method === 'POST' && tokenEndpoint.test(message.url ?? '') ? tokens : requests;
      admission.expectRoom();
      if (hasBody(message)) {
        pace.receiving(message, response);
        // whoever only says that a body will come takes no place
        await bodyBegun(message);
      }
      return within(admission, response, work);
    },
    passLarge: (message, response, work) => (sizeOf(message) > bodyLimit ? within(large, response, work) : work()),
    dismiss: (response) => pace.sending(response),
    metrics: metricsOf({ requests, tokens, large }),
  };
}

function metricsOf(admissions: Record<string, Admission>): () => Promise<string> {
  const registry = new Registry();
  const gauge = (state: 'running' | 'waiting', name: string, help: string) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        for (const [kind, admission] of Object.entries(admissions)) this.set({ kind }, admission.counts()[state]);
      },
    });
  gauge('running', 'realmgate_requests_running', 'Requests in work, by what they wait for: all, tokens, large bodies.');
  gauge('waiting', 'realmgate_requests_waiting', 'Requests that wait for a place.');
  return () => registry.metrics();
}

/** Bytes of the body; one that does not say may have any number. */
const sizeOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY;
