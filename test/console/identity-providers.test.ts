import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, inAllAppearances, useConsole, type Visitor, within } from './visitor.js';

const partner = 'https://partner.example';
const discovery = JSON.stringify({
  issuer: partner,
  authorization_endpoint: `${partner}/authorize`,
  token_endpoint: `${partner}/token`,
  jwks_uri: `${partner}/keys`,
});
const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${partner}">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${partner}/saml"/>
  </IDPSSODescriptor>
</EntityDescriptor>`;

describe.skipIf(!hasBrowser)('identity providers in the console', () => {
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      identityProviders: [
        { alias: 'github', providerId: 'github', enabled: false, config: { clientId: 'app', clientSecret: 'hidden' } },
      ],
    });
    expect(made.status).toBe(201);
  });
  const stored = async (alias: string) =>
    (await shop.admin.send('GET', `/admin/realms/shop/identity-provider/instances/${alias}`)).body;
  const choose = async ({ page }: Visitor, field: string, option: string) => {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  it('are created from a discovery document, changed after a preview, and keep their other settings', async () => {
    const visitor = await shop.visit('master/shop/identity-providers');
    const { page, button, field, heading } = visitor;
    await button('Create identity provider').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Alias').fill('partner');
    await dialog.getByLabel('Discovery document or SAML metadata').fill('no document');
    await dialog.getByLabel('Client ID').fill('app');
    await dialog.getByLabel('Client secret').fill('hidden');
    await dialog.getByRole('button', { name: 'Create identity provider' }).click();
    await dialog.getByText(/must be an OpenID Connect discovery document/).waitFor();
    await dialog.getByLabel('Discovery document or SAML metadata').fill(discovery);
    await dialog.getByRole('button', { name: 'Create identity provider' }).click();
    await heading('partner').waitFor();
    expect(await field('Token URL').inputValue()).toBe(`${partner}/token`);
    await field('Display name').fill('Our partner');
    await field('Scopes').fill('openid email');
    await page.getByRole('switch', { name: 'Email addresses count as verified' }).check();
    await button('Check changes').click();
    await page.getByRole('status').filter({ hasText: 'What would change' }).getByText('openid email').waitFor();
    expect((await stored('partner')).displayName).toBeUndefined();
    await button('Save').click();
    await page.getByText('partner is saved.').waitFor();
    expect(await stored('partner')).toMatchObject({
      providerId: 'oidc',
      displayName: 'Our partner',
      trustEmail: true,
      config: {
        tokenUrl: `${partner}/token`,
        useJwksUrl: 'true',
        defaultScope: 'openid email',
        clientId: 'app',
        clientSecret: '**********',
      },
    });
  });

  it('read their settings again from a document, after a preview', async () => {
    const { page, button } = await shop.visit('master/shop/identity-providers?search=partner');
    await button('partner').click();
    await button('Read settings').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Discovery document').fill(discovery.replace('/token', '/token/2'));
    await dialog.getByLabel('Client secret').fill('hidden again');
    await dialog.getByRole('button', { name: 'Read settings' }).click();
    await page.getByRole('region', { name: 'Changes' }).getByText(`${partner}/token/2`).waitFor();
    await button('Apply').click();
    await page.getByText('partner is saved.').waitFor();
    expect((await stored('partner')).config).toMatchObject({ tokenUrl: `${partner}/token/2`, clientId: 'app' });
  });

  it('have mappers with the settings that their type declares', async () => {
    const visitor = await shop.visit('master/shop/identity-providers?search=partner');
    const { page, button } = visitor;
    await button('partner').click();
    await page.getByRole('tab', { name: 'Mappers' }).click();
    await button('Add mapper').click();
    await page.getByRole('dialog').getByLabel('Name').fill('origin');
    await choose(visitor, 'Kind', 'Hardcoded Attribute');
    await page.getByLabel('User Attribute', { exact: true }).fill('origin');
    await page.getByLabel('User Attribute Value').fill('partner');
    await page.getByRole('dialog').getByRole('button', { name: 'Add mapper' }).click();
    await button('Edit origin').click();
    await page.getByLabel('User Attribute Value').fill('elsewhere');
    await page.getByRole('dialog').getByRole('button', { name: 'Check changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Edit origin' }).click();
    await page.getByText('attribute.value: elsewhere').waitFor();
    const { body } = await shop.admin.send('GET', '/admin/realms/shop/identity-provider/instances/partner/mappers');
    expect(body).toMatchObject([{ name: 'origin', config: { attribute: 'origin', 'attribute.value': 'elsewhere' } }]);
    await button('Delete origin').click();
    await button('Apply').click();
    await page.getByText('origin is deleted.').waitFor();
    await page.getByText('No mappers').waitFor();
  });

  it('are created for SAML from metadata, show those of this server, and are deleted', async () => {
    const visitor = await shop.visit('master/shop/identity-providers');
    const { page, button, heading } = visitor;
    await button('Create identity provider').click();
    const dialog = page.getByRole('dialog');
    await choose(visitor, 'Kind', 'GitHub');
    await expect.poll(() => dialog.getByLabel('Alias').inputValue(), within).toBe('github');
    await choose(visitor, 'Kind', 'SAML 2.0');
    await dialog.getByLabel('Alias').fill('office');
    await dialog.getByLabel('Discovery document or SAML metadata').fill(metadata);
    await dialog.getByRole('button', { name: 'Create identity provider' }).click();
    await heading('office').waitFor();
    expect((await stored('office')).config).toMatchObject({ singleSignOnServiceUrl: `${partner}/saml` });
    await page.getByRole('tab', { name: 'SAML metadata' }).click();
    await page
      .getByRole('region', { name: 'SAML metadata' })
      .getByText(/SPSSODescriptor/)
      .waitFor();
    await button('Delete').click();
    await button('Apply').click();
    await page.getByText('office is deleted.').waitFor();
    await heading('Identity providers').waitFor();
  });

  it('are accessible: list, dialogs, and all tabs', inAllAppearances, async () => {
    const visitor = await shop.visit('master/shop/identity-providers');
    const { page, button } = visitor;
    await button('github').waitFor();
    await expectAccessible(page);
    await button('Create identity provider').click();
    await page.getByRole('dialog').getByLabel('Alias').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await button('partner').click();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expectAccessible(page);
    }
    expect(visitor.faults).toEqual([]);
  });
});
