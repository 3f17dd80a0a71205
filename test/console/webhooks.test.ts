import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { type Receiver, startReceiver } from '../webhooks/receiver.js';
import { expectAccessible, inAllAppearances, useConsole, within } from './visitor.js';

describe.skipIf(!hasBrowser)('webhooks in the console', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  const shop = useConsole(
    async (admin) => {
      expect((await admin.send('POST', '/', { realm: 'shop', enabled: true })).status).toBe(201);
    },
    { webhookPrivateAddresses: true },
  );

  it('are created with a secret that is shown once, tested, and given a new secret', async () => {
    const { page, button, heading, field } = await shop.visit('master/shop/webhooks');
    await page.getByText('No webhooks').waitFor();
    await button('Create webhook').click();
    await field('Name').fill('till');
    await field('URL').fill(receiver.url);
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click();
    const secretOf = async () => {
      const secret = await page.getByRole('dialog', { name: 'Secret' }).getByLabel('Secret').last().inputValue();
      await page.keyboard.press('Escape');
      return secret;
    };
    await page.getByText('It is shown only once.').waitFor();
    const first = await secretOf();
    await button('till').click();
    await heading('till').waitFor();
    await button('Ping').click();
    await page.getByText('Delivered, HTTP 204.').waitFor();
    expect(receiver.typesOf()).toContain('ping');
    await page.getByText('ping · 204', { exact: true }).waitFor();
    receiver.answer = 500;
    await button('Ping').click();
    await page.getByText(/^Not delivered: /).waitFor();
    await button('Rotate secret').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('It is shown only once.').waitFor();
    const second = await secretOf();
    expect(first).toMatch(/^whsec_/);
    expect(second).toMatch(/^whsec_/);
    expect(second).not.toBe(first);
  });

  it('are changed, and deleted after a question', async () => {
    const { page, button, field, heading } = await shop.visit('master/shop/webhooks');
    await button('till').click();
    await heading('till').waitFor();
    await field('Name').fill('cash desk');
    await button('Check changes').click();
    await button('Save').click();
    await heading('cash desk').waitFor();
    await button('Delete').click();
    await button('Apply').click();
    await page.getByText('No webhooks').waitFor(within);
    expect(await page.getByText('cash desk is deleted.').count()).toBe(1);
  });

  it('are accessible', inAllAppearances, async () => {
    receiver.answer = 500;
    const visitor = await shop.visit('master/shop/webhooks');
    await visitor.button('Create webhook').click();
    await visitor.field('Name').fill('till');
    await visitor.field('URL').fill(receiver.url);
    await expectAccessible(visitor.page);
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click();
    await visitor.page.getByText('It is shown only once.').waitFor();
    await visitor.page.keyboard.press('Escape');
    await visitor.button('till').click();
    await visitor.heading('till').waitFor();
    await visitor.button('Ping').click();
    await visitor.page.getByText(/^Not delivered: /).waitFor();
    await expectAccessible(visitor.page);
  });
});
