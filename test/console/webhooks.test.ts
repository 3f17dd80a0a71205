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
    { webhookPrivateAddresses: true, webhookRetryWait: 1 },
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
    await heading('till').waitFor();
    await button(/^Ping$/).click();
    await page.getByText('Delivered, HTTP 204.').waitFor();
    expect(receiver.typesOf()).toContain('ping');
    await page.getByText('ping · 204', { exact: true }).waitFor();
    receiver.answer = 500;
    await button(/^Ping$/).click();
    await page.getByText(/^Not delivered: /).waitFor();
    await button('Rotate secret').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('It is shown only once.').waitFor();
    const second = await secretOf();
    expect(first).toMatch(/^whsec_/);
    expect(second).toMatch(/^whsec_/);
    expect(second).not.toBe(first);
  });

  it('are sent events again: that of one delivery, and all since a time', async () => {
    receiver.answer = 204;
    const { page, button, heading, faults } = await shop.visit('master/shop/webhooks');
    await button('till').click();
    await heading('till').waitFor();
    expect((await shop.admin.send('POST', '/shop/roles', { name: 'cashier' })).status).toBe(201);
    await expect.poll(() => receiver.typesOf().at(-1), within).toBe('admin.role.create');
    await page.reload();
    await page.getByText('admin.role.create · 204').waitFor();
    receiver.answer = 500;
    await button('Send admin.role.create again').click();
    await page.getByText('Not delivered: HTTP status 500').waitFor();
    await page.getByText('admin.role.create · 500 · HTTP status 500').waitFor();
    receiver.answer = 204;
    const delivered = receiver.received.length;
    await button('Send admin.role.create again').first().click();
    await page.getByText('Delivered, HTTP 204.').waitFor();
    expect(receiver.typesOf().slice(delivered)).toContain('admin.role.create');
    await button('Send events again').click();
    await page.getByLabel('Since').fill('2026-01-01T00:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Send events again' }).click();
    await page.getByText(/^\d+ events are sent again\.$/).waitFor();
    const created = () => receiver.typesOf().filter((type) => type === 'admin.webhook.create').length;
    await expect.poll(created, within).toBeGreaterThanOrEqual(1);
    expect(faults).toEqual([]);
  });

  it('are changed, and deleted after a question', async () => {
    const { page, button, field, heading } = await shop.visit('master/shop/webhooks');
    await button('till').click();
    await heading('till').waitFor();
    await field('Name').fill('cash desk');
    await button('Check changes').click();
    await button('Save').click();
    await heading('cash desk').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Webhook cash desk').first().waitFor(within);
    await page.goBack();
    await heading('cash desk').waitFor();
    await button('Delete').click();
    await button('Apply').click();
    await page.getByText('No webhooks').waitFor(within);
    await expect.poll(() => page.getByText('cash desk is deleted.').count(), within).toBe(1);
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
    await visitor.heading('till').waitFor();
    await visitor.button(/^Ping$/).click();
    await visitor.page.getByText(/^Not delivered: /).waitFor();
    await expectAccessible(visitor.page);
    await visitor.button('Send events again').click();
    await visitor.page.getByLabel('Since').waitFor();
    await expectAccessible(visitor.page);
  });
});
