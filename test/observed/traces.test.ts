import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { closedPort } from '../cli/run.js';
import { atEndOfFile, dialect } from '../support/database.js';
import { ended } from '../support/process.js';
import { attribute, startCollector, startSilentCollector } from './collector.js';
import { ownSpans, password, spanId, startedWith, traceId, traceparent } from './traced-service.js';

const server = 2;

describe.skipIf(!existsSync('dist/main.js'))('traces', () => {
  it('lead from a request of a caller to its operation and its statements, without secrets', async () => {
    const collector = await startCollector();
    const { run, url, token } = await startedWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=key%20of%20the%20collector',
      OTEL_SERVICE_NAME: 'shop',
      OTEL_METRIC_EXPORT_INTERVAL: '300',
    });
    const bearer = await token();
    // on PostgreSQL, what a plan depends on is a literal in the text of the statement
    for (const query of [
      "search=it's value-of-a-search\\",
      'email=value-of-a-filter@example.com',
      'username=value-of-a-name',
    ]) {
      const found = await fetch(`${url}/auth/admin/realms/master/users?${encodeURI(query)}`, {
        headers: { authorization: `Bearer ${bearer}` },
      });
      expect(found.status).toBe(200);
    }
    const answer = await fetch(`${url}/auth/admin/realms/master/users?secret=secret-of-the-query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        traceparent,
      },
      body: JSON.stringify({
        username: 'traced',
        credentials: [{ type: 'password', value: 'secret-of-the-user' }],
        email: 'value-of-a-statement@example.com',
      }),
    });
    expect(answer.status).toBe(201);
    await expect
      .poll(() => [...collector.metricNames()], { timeout: 20_000 })
      .toContain('realmgate_operation_duration_seconds');
    run.process.kill('SIGTERM');
    expect(await ended(run)).toBe(0);

    const spans = ownSpans(collector);
    const [request] = spans.filter(({ kind }) => kind === server);
    expect(request).toMatchObject({ parentSpanId: spanId, name: 'POST user.create' });
    if (!request) throw new Error('No request');
    expect(attribute(request, 'http.response.status_code')).toBe(201);
    expect(attribute(request, 'http.route')).toBe('/auth/admin/realms/{realm}/users');
    const operation = spans.find(({ name }) => name === 'user.create');
    expect(operation?.parentSpanId).toBe(request.spanId);
    const statements = spans.filter((span) => attribute(span, 'db.query.text') !== undefined);
    const inserted = statements.find((span) => String(attribute(span, 'db.query.text')).includes('INSERT INTO "User"'));
    expect(inserted?.parentSpanId).toBe(operation?.spanId);
    expect(inserted && attribute(inserted, 'db.system.name')).toBe(dialect);
    expect(spans.map(({ name }) => name)).toContain('COMMIT');
    // what no request asked for has traces of its own, and no statement stands alone
    const all = collector.spans();
    expect(all.filter(({ name }) => name.startsWith('housekeeping '))).not.toEqual([]);
    const known = new Set(all.map((span) => span.spanId));
    const alone = all.filter(
      (span) => attribute(span, 'db.query.text') !== undefined && !known.has(span.parentSpanId ?? ''),
    );
    expect(alone).toEqual([]);

    const lines = run
      .output()
      .split('\n')
      .filter((line) => line.includes('"answered"') && line.includes('user.create'))
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ trace_id: traceId, span_id: request.spanId });

    const exported = collector.posts.map(({ text }) => text).join('\n');
    expect(exported).toContain('"shop"');
    expect(collector.posts[0]?.headers['x-key']).toBe('key of the collector');
    for (const secret of [password, bearer, 'secret-of-the-query', 'secret-of-the-user', 'value-of-'])
      expect(exported).not.toContain(secret);
    expect(run.output()).not.toContain('key of the collector');
  });

  it('go on in the server that an outgoing request is sent to, whose span has no path of its address', async () => {
    const received: (string | undefined)[] = [];
    const receiver = createServer((message, response) => {
      received.push(message.headers['traceparent'] as string | undefined);
      response.writeHead(204).end();
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    atEndOfFile(async () => void receiver.close());
    const { port } = receiver.address() as AddressInfo;
    const collector = await startCollector();
    const { run, url, token } = await startedWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRICS_EXPORTER: 'none',
    });
    const headers = {
      authorization: `Bearer ${await token()}`,
      'content-type': 'application/json',
      traceparent,
    };
    const importUrl = `${url}/auth/admin/realms/master/identity-provider/import-config`;
    const body = { providerId: 'oidc', fromUrl: `http://127.0.0.1:${port}/secret-of-the-address` };
    await fetch(importUrl, { method: 'POST', headers, body: JSON.stringify(body) });
    run.process.kill('SIGTERM');
    expect(await ended(run)).toBe(0);
    const sent = ownSpans(collector).find((span) => attribute(span, 'server.port') === port);
    expect(sent).toMatchObject({ name: 'GET' });
    expect(sent && attribute(sent, 'http.response.status_code')).toBe(204);
    expect(received).toEqual([`00-${traceId}-${sent?.spanId}-01`]);
    expect(collector.posts.map(({ text }) => text).join('\n')).not.toContain('secret-of-the-address');
    expect(collector.metricNames().size).toBe(0);
  });

  it('hold up nobody if the collector is down or does not answer', async () => {
    const silent = await startSilentCollector();
    for (const endpoint of [silent.url, `http://127.0.0.1:${await closedPort()}`]) {
      const { run, url, token } = await startedWith({
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_METRIC_EXPORT_INTERVAL: '100',
        OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
      });
      const authorization = `Bearer ${await token()}`;
      await expect.poll(run.output, { timeout: 30_000 }).toContain('could not be exported');
      for (let at = 0; at < 50; at += 1) {
        const answer = await fetch(`${url}/auth/admin/realms/master/users`, { headers: { authorization } });
        expect(answer.status).toBe(200);
      }
      run.process.kill('SIGTERM');
      expect(await ended(run)).toBe(0);
      expect(run.output().match(/could not be exported/g)).toHaveLength(1);
      expect(run.output()).toMatch(/"reason":"[^"]+"/);
    }
    expect(silent.requests()).toBeGreaterThan(0);
  });

  it('are taken up from no request that the work has outlived', async () => {
    const received: { traceparent: string | undefined; told: string }[] = [];
    const receiver = createServer(async (message, response) => {
      let text = '';
      for await (const chunk of message.setEncoding('utf8')) text += chunk;
      received.push({ traceparent: message.headers['traceparent'] as string | undefined, told: text });
      response.writeHead(204).end();
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    atEndOfFile(async () => void receiver.close());
    const { port } = receiver.address() as AddressInfo;
    const collector = await startCollector();
    const { run, url, token } = await startedWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRICS_EXPORTER: 'none',
      WEBHOOK_PRIVATE_ADDRESSES: 'true',
    });
    const headers = { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' };
    // the loop that delivers begins in the request that creates the first webhook
    const graphql = async (query: string) => {
      const sent = { ...headers, traceparent };
      const answer = await fetch(`${url}/graphql`, { method: 'POST', headers: sent, body: JSON.stringify({ query }) });
      return ((await answer.json()) as { data: Record<string, Record<string, unknown>> }).data;
    };
    const { realm } = await graphql('{ realm(name: "master") { id } }');
    const input = `{ realm: "${realm?.id}", name: "told", url: "http://127.0.0.1:${port}/", includesAdminEvents: true }`;
    const created = await graphql(`mutation { webhookCreate(input: ${input}) { userErrors { message } } }`);
    expect(created).toEqual({ webhookCreate: { userErrors: [] } });
    const role = await fetch(`${url}/auth/admin/realms/master/roles`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'told-of' }),
    });
    expect(role.status).toBe(201);
    await expect
      .poll(() => received.filter(({ told }) => told.includes('told-of')), { timeout: 20_000 })
      .toHaveLength(1);
    run.process.kill('SIGTERM');
    expect(await ended(run)).toBe(0);
    const [told] = received.filter((one) => one.told.includes('told-of'));
    expect(told?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(told?.traceparent).not.toContain(traceId);
  });
});
