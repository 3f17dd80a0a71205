import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { closedPort } from '../cli/run.js';
import { directoryWith, hasSlapd, person, personDn, rootDn, rootPassword, storageFor } from '../ldap/directory.js';
import { account, openMailbox } from '../mail/mailbox.js';
import { callerWith, login } from '../support/fixture.js';
import { ended } from '../support/process.js';
import { attribute, type ExportedSpan, startCollector } from './collector.js';
import { ownSpans, startedWith, traceparent } from './traced-service.js';

// What the service sends to a directory or a mail server within a request has its span in the trace of that request.

const client = 3;
const failed = 2;

/** A service that exports its traces, and its administrator. */
async function world() {
  const collector = await startCollector();
  const { run, url, token } = await startedWith({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_METRICS_EXPORTER: 'none',
  });
  const admin = callerWith({ url }, await token());
  /** Stops the service, and expects nothing that it has exported to have these texts. */
  const stopped = async (...secrets: string[]): Promise<void> => {
    run.process.kill('SIGTERM');
    expect(await ended(run)).toBe(0);
    const exported = collector.posts.map(({ text }) => text).join('\n');
    expect(secrets.filter((secret) => exported.includes(secret))).toEqual([]);
  };
  return { url, admin, collector, stopped };
}

/** The spans of a protocol within the request of this operation: names, ports, and kinds of errors. */
function sentWithin(spans: ExportedSpan[], operation: string, protocol: string) {
  const request = spans.find(({ name }) => name.endsWith(` ${operation}`));
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const isWithin = (span: ExportedSpan | undefined): boolean =>
    span !== undefined && (span === request || isWithin(byId.get(span.parentSpanId ?? '')));
  const sent = spans.filter((span) => attribute(span, 'network.protocol.name') === protocol && isWithin(span));
  for (const span of sent) {
    expect([span.kind, attribute(span, 'server.address')]).toEqual([client, '127.0.0.1']);
    expect(span.status.code === failed).toBe(attribute(span, 'error.type') !== undefined);
  }
  return sent.map((span) => [span.name, attribute(span, 'server.port'), attribute(span, 'error.type')]);
}

describe.skipIf(!existsSync('dist/main.js'))('spans of what is sent within a request', () => {
  it.skipIf(!hasSlapd)('name the directory that was asked, and neither people nor passwords', async () => {
    const slapd = await directoryWith([person('lena', { password: 'secret-of-lena' })]);
    const [port, closed] = [Number(new URL(slapd.url).port), await closedPort()];
    const { url, admin, collector, stopped } = await world();
    expect((await admin.send('POST', '/', { realm: 'listed', enabled: true })).status).toBe(201);
    await storageFor(admin, 'listed', `ldap://127.0.0.1:${closed} ${slapd.url}`);
    const found = await admin.send('GET', '/listed/users?username=lena', undefined, { traceparent });
    expect(found.body).toMatchObject([{ username: 'lena' }]);
    expect(await login({ url }, 'listed', 'lena', 'secret-of-lena')).toMatch(/^eyJ/);

    await stopped(rootPassword, rootDn, personDn('lena'), 'lena');
    expect(sentWithin(ownSpans(collector), 'user.list', 'ldap')).toEqual([
      ['LDAP bind', closed, 'LdapFault'],
      ['LDAP bind', port, undefined],
      ['LDAP request', port, undefined],
    ]);
    expect(collector.spans().filter(({ name }) => name === 'LDAP bind').length).toBeGreaterThan(2);
  });

  it('state whether a mail was taken, and nothing of what is in it', async () => {
    const [mailbox, closed] = [await openMailbox(), await closedPort()];
    const { admin, collector, stopped } = await world();
    const smtp = (port: number) => ({
      host: '127.0.0.1',
      port: String(port),
      from: 'sender@post.example',
      auth: 'true',
      ...account,
    });
    const users = [{ username: 'mia', email: 'mia@post.example', enabled: true }];
    const made = await admin.send('POST', '/', { realm: 'post', enabled: true, users, smtpServer: smtp(mailbox.port) });
    expect(made.status).toBe(201);
    const [{ id }] = (await admin.send('GET', '/post/users?username=mia')).body;
    const send = async (operation: string, body?: string[]) =>
      (await admin.send('PUT', `/post/users/${id}/${operation}`, body, { traceparent })).status;
    expect(await send('send-verify-email')).toBe(204);
    expect(mailbox.mails).toMatchObject([{ recipients: ['mia@post.example'], method: 'PLAIN' }]);
    expect((await admin.send('PUT', '/post', { smtpServer: smtp(closed) })).status).toBe(204);
    expect(await send('execute-actions-email', ['UPDATE_PROFILE'])).toBe(500);

    const [, key = ''] = mailbox.link().split('key=');
    expect(key).not.toBe('');
    await stopped(account.password, account.user, 'post.example', key);
    const spans = ownSpans(collector);
    expect(sentWithin(spans, 'user.sendVerifyEmail', 'smtp')).toEqual([['send mail', mailbox.port, undefined]]);
    const refused = [['send mail', closed, 'MailFailure']];
    expect(sentWithin(spans, 'user.executeActionsEmail', 'smtp')).toEqual(refused);
  });
});
