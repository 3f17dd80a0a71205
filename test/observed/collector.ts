import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEndOfFile } from '../support/database.js';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number; boolValue?: boolean };
}

/** A span as OTLP has it in JSON. */
export interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status: { code?: number };
}

/** The value of an attribute of a span. */
export const attribute = ({ attributes }: ExportedSpan, name: string): string | number | boolean | undefined => {
  const { stringValue, intValue, boolValue } = attributes.find(({ key }) => key === name)?.value ?? {};
  return stringValue ?? intValue ?? boolValue;
};

export interface Collector {
  url: string;
  /** all that was posted, by path */
  posts: { path: string; headers: Record<string, unknown>; text: string }[];
  spans(): ExportedSpan[];
  /** names of the metrics that were posted */
  metricNames(): Set<string>;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEndOfFile(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A collector of OTLP over HTTP, which keeps what it receives. */
export async function startCollector(): Promise<Collector> {
  const posts: Collector['posts'] = [];
  const server = createServer(async (message, response) => {
    let text = '';
    for await (const chunk of message.setEncoding('utf8')) text += chunk;
    posts.push({ path: message.url ?? '', headers: message.headers, text });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const bodies = (path: string) => posts.filter((post) => post.path === path).map(({ text }) => JSON.parse(text));
  return {
    url: await listening(server),
    posts,
    spans: () =>
      bodies('/v1/traces').flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: ExportedSpan[] }[] }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    metricNames: () =>
      new Set(
        bodies('/v1/metrics').flatMap(({ resourceMetrics }) =>
          resourceMetrics.flatMap(({ scopeMetrics }: { scopeMetrics: { metrics: { name: string }[] }[] }) =>
            scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name)),
          ),
        ),
      ),
  };
}

/** A collector that takes requests and never answers. Counts them. */
export async function startSilentCollector(): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const url = await listening(
    createServer(() => {
      requests += 1;
    }),
  );
  return { url, requests: () => requests };
}
