import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf } from '../login/agent.js';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { directoryWith, hasSlapd, person, storageFor, synchronise } from './directory.js';

describe.skipIf(!hasSlapd)('a link for a new password of a user of a directory', () => {
  const realm = 'linked';
  let server: TestServer;
  let admin: Caller;
  let mailbox: Mailbox;

  beforeAll(async () => {
    const slapd = await directoryWith([person('anna'), person('bert')]);
    mailbox = await openMailbox();
    server = await startServer();
    admin = await administrator(server);
    const smtpServer = { host: '127.0.0.1', port: String(mailbox.port), from: 'id@shop.example' };
    const made = await admin.send('POST', '/', { realm, enabled: true, smtpServer });
    expect(made.status).toBe(201);
    await synchronise(admin, realm, await storageFor(admin, realm, slapd.url, { editMode: 'WRITABLE' }));
  });

  async function linkFor(username: string): Promise<{ id: string; link: string }> {
    const [user] = (await admin.send('GET', `/${realm}/users?username=${username}&exact=true`)).body;
    expect(user.email).toBeTruthy();
    const sent = await admin.send('PUT', `/${realm}/users/${user.id}/execute-actions-email`, ['UPDATE_PASSWORD']);
    expect(sent.status).toBe(204);
    return { id: user.id, link: mailbox.link() };
  }
  const passwords = (password: string) => ({ 'password-new': password, 'password-confirm': password });

  it('dies when another password is written to the directory, opened before or not', async () => {
    const { id, link } = await linkFor('anna');
    const agent = agentOf(server);
    const opened = await agent.get(link);
    const form = await agent.submit(opened, {});
    expect(form.text).toContain('password-new');
    const value = 'another one';
    const reset = await admin.send('PUT', `/${realm}/users/${id}/reset-password`, { type: 'password', value });
    expect(reset.status).toBe(204);
    expect((await agent.submit(form, passwords('stolen'))).status).toBe(400);
    expect((await agentOf(server).get(link)).status).toBe(400);
    expect(await login(server, realm, 'anna', 'another one')).toBeTruthy();
    await expect(login(server, realm, 'anna', 'stolen')).rejects.toThrow();
  });

  it('sets the password once', async () => {
    const { link } = await linkFor('bert');
    const agent = agentOf(server);
    const form = await agent.submit(await agent.get(link), {});
    expect((await agent.submit(form, passwords('chosen'))).status).toBe(200);
    expect(await login(server, realm, 'bert', 'chosen')).toBeTruthy();
    expect((await agentOf(server).get(link)).status).toBe(400);
  });
});
