import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, inAllAppearances, useConsole, type Visitor, within } from './visitor.js';

describe.skipIf(!hasBrowser)('clients in the console', () => {
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      roles: { realm: [{ name: 'seller' }] },
      groups: [{ name: 'staff' }],
      users: [
        { username: 'anna', enabled: true, email: 'anna@shop.example', realmRoles: ['seller'] },
        { username: 'bert', enabled: true },
        {
          username: 'watcher',
          enabled: true,
          clientRoles: { 'realm-management': ['view-clients'] },
          credentials: [{ type: 'password', value: 'pw' }],
        },
      ],
      clients: [
        ...Array.from({ length: 60 }, (_, at) => ({ clientId: `app-${String(at).padStart(2, '0')}`, enabled: true })),
        {
          clientId: 'backend',
          enabled: true,
          serviceAccountsEnabled: true,
          authorizationServicesEnabled: true,
          redirectUris: ['https://backend.example/*'],
        },
      ],
    });
    expect(made.status).toBe(201);
  });
  const stored = async (clientId: string) =>
    (await shop.admin.send('GET', `/admin/realms/shop/clients?clientId=${clientId}`)).body[0];
  const secretOf = async (clientId: string) =>
    (await shop.admin.send('GET', `/admin/realms/shop/clients/${(await stored(clientId)).id}/client-secret`)).body
      .value;
  const secretIn = ({ page }: Visitor) =>
    page.getByRole('dialog', { name: 'Secret' }).getByRole('textbox', { name: 'Secret' }).inputValue();
  const openClient = async (visitor: Visitor, clientId: string, tab?: string) => {
    const { page } = visitor;
    await visitor.open(`master/shop/clients?search=${clientId}`);
    await visitor.button(clientId).click();
    await visitor.heading(clientId).waitFor();
    if (tab) await page.getByRole('tab', { name: tab }).click();
  };
  const choose = async ({ page }: Visitor, field: string, option: string | RegExp) => {
    const dialog = page.getByRole('dialog');
    const form = (await dialog.count()) > 0 ? dialog : page;
    // some names are parts of others
    await form.getByRole('combobox', { name: new RegExp(`^${field}( \\*)?$`) }).click();
    await page.getByRole('option', { name: option }).click();
  };

  it('are found as one types, loaded page by page, and the address has the search', async () => {
    const { page, context } = await shop.visit('master/shop/clients');
    await page.getByText(/^50 of \d+ loaded/).waitFor();
    await page.getByRole('searchbox', { name: 'Search clients' }).fill('app-5');
    await page.getByText('10 of 10 loaded').waitFor();
    const copy = await context.newPage();
    await copy.goto(page.url());
    await copy.getByText('10 of 10 loaded').waitFor();
    expect(await copy.getByText('app-50', { exact: true }).count()).toBe(1);
  });

  it('have the names that they were given, also those that look like values', async () => {
    const names = ['constructor', 'MY_APP', 'LOGIN'];
    for (const name of names) {
      const made = await shop.admin.send('POST', '/admin/realms/shop/clients', { clientId: `named-${name}`, name });
      expect(made.status).toBe(201);
    }
    const { page, open } = await shop.visit('master/shop/clients?search=named-');
    for (const name of names) await page.getByRole('cell', { name, exact: true }).waitFor();
    await open('master/shop/clients?search=account');
    await page.getByRole('cell', { name: 'Account', exact: true }).waitFor();
  });

  it('are disabled together after a preview, enabled again by undo, and deleted', async () => {
    const { page } = await shop.visit('master/shop/clients?search=app-4');
    await page.getByRole('checkbox', { name: 'Select app-41' }).check();
    await page.getByRole('checkbox', { name: 'Select app-42' }).check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('region', { name: 'Changes' }).getByText('app-42').waitFor();
    expect((await stored('app-41')).enabled).toBe(true);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('2 clients are changed.').waitFor();
    expect((await stored('app-41')).enabled).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect((await stored('app-41')).enabled).toBe(true);
    await page.getByRole('checkbox', { name: 'Select app-43' }).check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('9 of 9 loaded').waitFor();
    expect(await stored('app-43')).toBeUndefined();
  });

  it.each([
    ['Application on a server', { publicClient: false, standardFlowEnabled: true, serviceAccountsEnabled: false }],
    ['Service account', { publicClient: false, standardFlowEnabled: false, serviceAccountsEnabled: true }],
    ['SAML application', { protocol: 'saml' }],
  ])('are created by kind, and show the secret that they have: %s', async (kind, expected) => {
    const visitor = await shop.visit('master/shop/clients');
    const { page } = visitor;
    const clientId = kind.toLowerCase().replaceAll(' ', '-');
    await page.getByRole('button', { name: 'Create client' }).click();
    await choose(visitor, 'Kind', new RegExp(`^${kind}`));
    await page.getByLabel('Client ID').fill('backend');
    await page.getByRole('dialog').getByRole('button', { name: 'Create client' }).click();
    await page.getByText(/exists/).waitFor();
    await page.getByLabel('Client ID').fill(clientId);
    await page.getByRole('dialog').getByRole('button', { name: 'Create client' }).click();
    if (!('protocol' in expected)) {
      expect(await secretIn(visitor)).toBe(await secretOf(clientId));
      await page.keyboard.press('Escape');
    }
    await visitor.heading(clientId).waitFor();
    expect(await stored(clientId)).toMatchObject(expected);
  });

  it('show what would change before they are saved, and keep the changes of two who save at once', async () => {
    const [one, other] = await Promise.all([shop.visit(), shop.visit()]);
    await Promise.all([openClient(one, 'app-10'), openClient(other, 'app-10')]);
    await one.field('Name').fill('Theirs');
    await one.field('Description').fill('Kept');
    await one.button('Check changes').click();
    await one.page.getByRole('status').filter({ hasText: 'What would change' }).getByText('Kept').waitFor();
    expect((await stored('app-10')).description).toBeUndefined();
    await one.button('Save').click();
    await one.page.getByText('app-10 is saved.').waitFor();
    await other.field('Name').fill('Mine');
    await other.page.getByRole('switch', { name: 'Device flow' }).check();
    await other.button('Check changes').click();
    const dialog = other.page.getByRole('dialog', { name: 'Somebody else has saved in the meantime' });
    await dialog.getByRole('radio', { name: 'Name: Mine: Mine' }).check();
    await dialog.getByRole('button', { name: 'Save both' }).click();
    await other.page.getByText('app-10 is saved.').waitFor();
    expect(await stored('app-10')).toMatchObject({
      name: 'Mine',
      description: 'Kept',
      attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
    });
  });

  it('lead to the field that is refused', async () => {
    const visitor = await shop.visit();
    await openClient(visitor, 'app-11');
    await visitor.page.getByRole('switch', { name: 'Authorization services' }).check();
    await visitor.button('Check changes').click();
    await visitor.page.getByText('Authorization services require a service account').waitFor();
    const field = visitor.page.getByRole('switch', { name: 'Service account (client credentials)' });
    await expect.poll(() => field.evaluate((input) => input === document.activeElement), within).toBe(true);
  });

  it('show a new secret once, and later in the installation', async () => {
    const visitor = await shop.visit();
    const { page } = visitor;
    await openClient(visitor, 'backend', 'Credentials');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    const secret = await secretIn(visitor);
    expect(secret).toBe(await secretOf('backend'));
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('tab', { name: 'Credentials' }).click();
    await page.getByText('service-account-backend').waitFor();
    expect(await page.getByText(String(secret)).count()).toBe(0);
    await page.getByText('The secret is in the configuration that the tab “Installation” shows').waitFor();
    await page.getByRole('tab', { name: 'Installation' }).click();
    await page.getByText(String(secret)).waitFor();
  });

  it('have client scopes, mappers, and roles, which the token preview shows', async () => {
    const visitor = await shop.visit();
    const { page } = visitor;
    await openClient(visitor, 'app-20', 'Client scopes');
    await page.getByRole('button', { name: 'Make email optional' }).click();
    await page.getByRole('button', { name: 'Make email default' }).waitFor();
    await page.getByRole('tab', { name: 'Mappers' }).click();
    await page.getByRole('button', { name: 'Add mapper' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('shop');
    await choose(visitor, 'Kind', 'Hardcoded claim');
    await page.getByLabel('Claim', { exact: true }).fill('shop');
    await page.getByLabel('Value of the claim').fill('Berlin');
    await page.getByRole('dialog').getByRole('button', { name: 'Add mapper' }).click();
    await page.getByRole('button', { name: 'Edit shop' }).waitFor();
    await page.getByText('full name', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'profile' }).first().waitFor();
    await page.getByRole('tab', { name: 'Scope mappings' }).click();
    await page.getByText('Tokens contain all roles of the user.').waitFor();
    await choose(visitor, 'Add role', 'seller');
    await page.getByText('seller is added.').waitFor();
    await page.getByRole('link', { name: 'seller' }).waitFor();
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('button', { name: 'Add role' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('clerk');
    await page.getByRole('dialog').getByRole('button', { name: 'Add role' }).click();
    await page.getByRole('button', { name: 'Delete clerk' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('clerk is deleted.').waitFor();
    await page.getByRole('tab', { name: 'Token preview' }).click();
    await choose(visitor, 'User', 'anna');
    const token = page.getByRole('region', { name: 'Access token' }).first();
    await token.getByText('"shop": "Berlin"').waitFor();
    expect(await token.getByText('anna@shop.example').count()).toBe(0);
  });

  it('decide by policies, which the evaluator explains', async () => {
    const visitor = await shop.visit();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const create = async () => {
      // a list of several choices stays open until one leaves it
      await dialog.getByRole('textbox', { name: 'Name' }).click();
      await dialog.getByRole('button', { name: 'Add policy or permission' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await openClient(visitor, 'backend', 'Authorization');
    await page.getByRole('button', { name: 'Add resource' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('till');
    await dialog.getByLabel('Scopes').fill('open');
    await dialog.getByRole('button', { name: 'Add resource' }).click();
    await page.getByRole('button', { name: 'Delete till' }).waitFor();
    // the scopes are those of the resource
    await page.getByRole('button', { name: 'Edit open' }).click();
    await dialog.getByRole('textbox', { name: 'Display name' }).fill('Opens the till');
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    await dialog.getByRole('button', { name: 'Edit open' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Opens the till').waitFor();
    await page.getByRole('button', { name: 'Add policy or permission' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('sellers');
    await choose(visitor, 'Kind', 'Roles');
    await choose(visitor, 'Any of these roles', 'seller');
    await create();
    await page.getByRole('button', { name: 'Delete sellers' }).waitFor();
    await page.getByRole('button', { name: 'Add policy or permission' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('till permission');
    await choose(visitor, 'Kind', 'Permission for resources');
    await choose(visitor, 'Resources', 'till');
    await choose(visitor, 'Policies', 'sellers');
    await create();
    await page.getByRole('button', { name: 'Delete till permission' }).waitFor();
    await choose(visitor, 'Resource', 'till');
    await choose(visitor, 'User', 'anna');
    await page.getByText('till permission: permitted').waitFor();
    await choose(visitor, 'User', 'bert');
    await page.getByText('till permission: denied').waitFor();
    expect(await page.getByText('till permission: permitted').count()).toBe(0);
  });

  it('have policies of each kind, which are changed after a preview', async () => {
    const visitor = await shop.visit();
    const { page, faults } = visitor;
    const dialog = page.getByRole('dialog');
    await openClient(visitor, 'backend', 'Authorization');
    const { id } = await stored('backend');
    const policy = async (name: string) => {
      const found = await shop.admin.send(
        'GET',
        `/admin/realms/shop/clients/${id}/authz/resource-server/policy?name=${name}`,
      );
      return found.body[0];
    };
    const create = async (name: string, kind: string, fill: () => Promise<unknown>) => {
      await page.getByRole('button', { name: 'Add policy or permission' }).click();
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
      await choose(visitor, 'Kind', new RegExp(`^${kind}$`));
      await fill();
      // a list of several choices stays open until one leaves it
      await dialog.getByRole('textbox', { name: 'Name' }).click();
      await dialog.getByRole('button', { name: 'Add policy or permission' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: `Delete ${name}` }).waitFor();
    };
    await create('annas', 'Users', () => choose(visitor, 'Users', 'anna'));
    await create('staff', 'Groups', () => choose(visitor, 'Groups with their subgroups', '/staff'));
    await create('apps', 'Clients', () => choose(visitor, 'Clients', 'app-07'));
    await create('office', 'Time', async () => {
      await dialog.getByRole('textbox', { name: 'Hour from' }).fill('8');
      await dialog.getByRole('textbox', { name: 'Hour to' }).fill('17');
      await dialog.getByLabel('Not before').fill('2026-01-01T00:00');
    });
    await create('anyone', 'Other policies', async () => {
      await choose(visitor, 'Decision strategy', 'AFFIRMATIVE');
      await choose(visitor, 'Policies', 'annas');
    });
    expect((await policy('office')).config).toMatchObject({ hour: '8', hourEnd: '17' });
    expect(JSON.parse((await policy('staff')).config.groups)).toMatchObject([{ extendChildren: true }]);
    await page.getByRole('button', { name: 'Edit office' }).click();
    await dialog.getByRole('textbox', { name: 'Hour to' }).fill('18');
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Longer days');
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    await dialog.getByRole('status').getByText('Longer days').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Edit office' }).click();
    // until it is stored, the preview in the dialog has the text, too
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Longer days').waitFor();
    expect((await policy('office')).config).toMatchObject({ hour: '8', hourEnd: '18' });
    await page.getByRole('button', { name: 'Edit annas' }).click();
    // what was chosen has its name
    await dialog.getByText('anna', { exact: true }).first().waitFor();
    await choose(visitor, 'Logic', 'NEGATIVE');
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    await dialog.getByRole('button', { name: 'Edit annas' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await policy('annas')).toMatchObject({ logic: 'NEGATIVE' });
    expect(faults).toEqual([]);
  });

  it('share a client scope of its own, which is created, changed after a preview, and deleted', async () => {
    const visitor = await shop.visit('master/shop/client-scopes');
    const { page } = visitor;
    await page.getByRole('cell', { name: 'OpenID Connect', exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Create client scope' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('tills');
    await page.getByRole('dialog').getByRole('button', { name: 'Create client scope' }).click();
    await visitor.heading('tills').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'optional' }).click();
    await page.getByRole('button', { name: 'optional', pressed: true }).waitFor();
    const optional = async () =>
      (await shop.admin.send('GET', '/admin/realms/shop/default-optional-client-scopes')).body;
    expect(await optional()).toContainEqual(expect.objectContaining({ name: 'tills' }));
    await page.getByRole('button', { name: 'not assigned' }).click();
    await page.getByRole('button', { name: 'not assigned', pressed: true }).waitFor();
    expect(await optional()).not.toContainEqual(expect.objectContaining({ name: 'tills' }));
    await visitor.field('Description').fill('For tills');
    await visitor.button('Check changes').click();
    await visitor.button('Save').click();
    const scopes = async () => (await shop.admin.send('GET', '/admin/realms/shop/client-scopes')).body;
    const saved = expect.objectContaining({ name: 'tills', description: 'For tills' });
    await expect.poll(scopes, within).toContainEqual(saved);
    await visitor.button('Delete').click();
    await visitor.button('Apply').click();
    await visitor.heading('Client scopes').waitFor();
    await expectAccessible(page);
    expect(await scopes()).not.toContainEqual(expect.objectContaining({ name: 'tills' }));
  });

  it('show the mappers of their default client scopes, also those of SAML', async () => {
    const made = await shop.admin.send('POST', '/admin/realms/shop/clients', {
      clientId: 'saml-shop',
      protocol: 'saml',
    });
    expect(made.status).toBe(201);
    const visitor = await shop.visit('master/shop/clients?search=saml-shop');
    await openClient(visitor, 'saml-shop', 'Mappers');
    expect(await visitor.page.getByText('role list', { exact: true }).textContent()).toBe('role list');
  });

  it('are shown to those who may only look', async () => {
    const visitor = await shop.visit('shop/shop/clients?search=app-30', { username: 'watcher', password: 'pw' });
    await visitor.button('app-30').click();
    await visitor.field('Client ID').waitFor();
    expect(await visitor.button('Check changes').count()).toBe(0);
    expect(await visitor.button('Delete').count()).toBe(0);
  });

  it('are accessible: list, dialogs, and all tabs', inAllAppearances, async () => {
    const visitor = await shop.visit('master/shop/clients?search=app-2');
    const { page } = visitor;
    await page.getByRole('checkbox', { name: 'Select app-21' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create client' }).click();
    await page.getByLabel('Client ID').waitFor();
    await expectAccessible(page);
    await openClient(visitor, 'backend');
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expectAccessible(page);
    }
    expect(visitor.faults).toEqual([]);
  });
});
