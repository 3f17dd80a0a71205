import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { useConsole, within } from './visitor.js';

// Changes of small objects, which the stories of their screens pass by.
describe.skipIf(!hasBrowser)('small objects in the console', () => {
  const mapper = {
    name: 'shop',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-hardcoded-claim-mapper',
    config: { 'claim.name': 'shop', 'claim.value': 'Berlin', 'access.token.claim': 'true' },
  };
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/admin/realms', {
      realm: 'shop',
      enabled: true,
      roles: { realm: [{ name: 'seller' }] },
      groups: [{ name: 'staff' }],
      clients: [
        {
          clientId: 'till',
          serviceAccountsEnabled: true,
          authorizationServicesEnabled: true,
          protocolMappers: [mapper],
          authorizationSettings: { resources: [{ name: 'drawer', uris: ['/drawer'] }], scopes: [{ name: 'open' }] },
        },
      ],
      users: [
        {
          username: 'ann',
          credentials: [
            { type: 'password', value: 'pw', userLabel: 'first' },
            { type: 'password', value: 'pw', userLabel: 'second' },
          ],
        },
        { username: 'bob', attributes: { department: ['sales'] } },
      ],
    });
    expect(made.status).toBe(201);
  });
  const read = async (path: string) => (await shop.admin.send('GET', `/admin/realms/shop${path}`)).body;
  const client = async () => (await read('/clients?clientId=till'))[0];
  const user = async (username: string) => (await read(`/users?username=${username}`))[0];
  const visitClient = async (tab: string) => {
    const visitor = await shop.visit(`master/shop/clients/${btoa(`Client:${(await client()).id}`)}?tab=${tab}`);
    return { ...visitor, dialog: visitor.page.getByRole('dialog') };
  };

  it('a resource gets addresses and scopes, and a scope is added', async () => {
    const { page, button, dialog } = await visitClient('authorization');
    await button('Add scope').click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('close');
    await dialog.getByRole('button', { name: 'Add scope' }).click();
    await button('Delete close').waitFor();
    await button('Edit drawer').click();
    await dialog.getByRole('textbox', { name: 'Display name' }).fill('The drawer');
    await dialog.getByLabel('Scopes').fill('open');
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    await dialog.getByRole('status').getByText('The drawer').waitFor();
    await dialog.getByRole('button', { name: 'Edit drawer' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const resources = await read(`/clients/${(await client()).id}/authz/resource-server/resource?name=drawer`);
    expect(resources).toMatchObject([{ displayName: 'The drawer', uris: ['/drawer'], scopes: [{ name: 'open' }] }]);
    // what was saved is there when the dialog is opened again
    await button('Edit drawer').click();
    expect(await dialog.getByRole('textbox', { name: 'Display name' }).inputValue()).toBe('The drawer');
    await dialog.getByText('open', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('a mapper is changed after a preview', async () => {
    const { button, dialog } = await visitClient('mappers');
    await button('Edit shop').click();
    await dialog.getByRole('textbox', { name: 'Value of the claim' }).fill('Hamburg');
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    await dialog.getByRole('status').getByText('Hamburg').waitFor();
    await dialog.getByRole('button', { name: 'Edit shop' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const changed = { name: 'shop', config: { ...mapper.config, 'claim.value': 'Hamburg' } };
    expect((await client()).protocolMappers).toContainEqual(expect.objectContaining(changed));
  });

  it('a client scope for new clients becomes optional, and default again by undo', async () => {
    const scopes = async (kind: string): Promise<string[]> =>
      (await read(`/default-${kind}-client-scopes`)).map(({ name }: { name: string }) => name);
    const { id } = (await read('/client-scopes')).find(({ name }: { name: string }) => name === 'email');
    const { page, button } = await shop.visit(`master/shop/client-scopes/${btoa(`ClientScope:${id}`)}`);
    await button('optional').click();
    await page.getByRole('button', { name: 'optional', pressed: true }).waitFor();
    expect([await scopes('default'), await scopes('optional')]).toEqual([
      expect.not.arrayContaining(['email']),
      expect.arrayContaining(['email']),
    ]);
    await button('Undo').click();
    await expect.poll(() => scopes('default'), within).toContain('email');
  });

  it('credentials are put in another order, which undo takes back', async () => {
    const ann = await user('ann');
    const labels = async (): Promise<string[]> =>
      (await read(`/users/${ann.id}/credentials`)).map(({ userLabel }: { userLabel: string }) => userLabel);
    const { page, button } = await shop.visit(`master/shop/users/${btoa(`User:${ann.id}`)}?tab=credentials`);
    expect(await labels()).toEqual(['first', 'second']);
    await button('Move Password · second up').click();
    await expect.poll(labels, within).toEqual(['second', 'first']);
    const shown = () =>
      page
        .getByRole('button', { name: /^Delete Password/ })
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    await expect.poll(shown, within).toEqual(['Delete Password · second', 'Delete Password · first']);
    await button('Undo').click();
    await expect.poll(labels, within).toEqual(['first', 'second']);
  });

  it('attributes are explained beside their buttons, and listed when their user is deleted', async () => {
    const { page, button } = await shop.visit(`master/shop/users/${btoa(`User:${(await user('bob')).id}`)}`);
    const remove = await button('Remove attribute department').boundingBox();
    const explain = await page.getByTitle('Attributes', { exact: true }).boundingBox();
    expect(explain?.x).toBeGreaterThanOrEqual((remove?.x ?? 0) + (remove?.width ?? 0));
    // the review of a deletion lists what is lost, and no empty lists
    await button('Delete').click();
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.getByText('sales').waitFor();
    expect(await changes.getByText('[]').count()).toBe(0);
  });

  it('roles and groups that many users got are taken from them by undo', async () => {
    const { page, button } = await shop.visit('master/shop/users');
    const dialog = page.getByRole('dialog');
    const bob = await user('bob');
    const has = async () => [
      (await read(`/users/${bob.id}/role-mappings/realm`)).some(({ name }: { name: string }) => name === 'seller'),
      (await read(`/users/${bob.id}/groups`)).length,
    ];
    const give = async (action: string, field: string, option: string) => {
      for (const name of ['ann', 'bob']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
      await button(action).click();
      await dialog.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option }).click();
      await dialog.getByRole('button', { name: 'Apply to 2 users' }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    await give('Add role', 'Role', 'seller');
    expect(await has()).toEqual([true, 0]);
    await button('Undo').click();
    await expect.poll(has, within).toEqual([false, 0]);
    await give('Join group', 'Group', '/staff');
    expect(await has()).toEqual([false, 1]);
    await button('Undo').last().click();
    await expect.poll(has, within).toEqual([false, 0]);
  });

  it('an application is told of revoked tokens', async () => {
    const { page, button, dialog } = await visitClient('operation');
    await button('Tell applications').click();
    await dialog.getByRole('button', { name: 'Tell applications' }).click();
    await page.getByText('0 addresses were told.').waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('the public part of a key store becomes the key of a client', async () => {
    const visitor = await visitClient('keys');
    const { page, button, dialog } = visitor;
    await button('Generate and download key').click();
    await dialog.getByLabel('Password of the file').fill('secret');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Generate and download key' }).click();
    const path = await (await download).path();
    await page.getByText('The application has the private one.').waitFor();
    await button('Import key').click();
    await dialog.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'PKCS12' }).click();
    await dialog.locator('input[type=file]').setInputFiles(path);
    await dialog.getByLabel('Password of the file').fill('secret');
    await dialog.getByRole('switch').check();
    await dialog.getByRole('button', { name: 'Import key' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { certificate, privateKey } = await read(`/clients/${(await client()).id}/certificates/jwt.credential`);
    expect([typeof certificate, privateKey]).toEqual(['string', undefined]);
  });
});
