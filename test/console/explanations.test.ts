import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { useConsole, type Visitor } from './visitor.js';

/** The dialogs that create objects: the list, the button, and how many fields are explained. */
const dialogs: [path: string, title: string, fields: number][] = [
  ['users', 'Create user', 5],
  ['groups', 'Create group', 1],
  ['roles', 'Create role', 2],
  ['clients', 'Create client', 3],
  ['client-scopes', 'Create client scope', 3],
  ['identity-providers', 'Create identity provider', 3],
  ['directories', 'Connect a directory', 1],
  ['webhooks', 'Create webhook', 4],
];

/** The explanations of the fields of the open dialog, by the names of the fields. */
async function explanationsIn({ page }: Visitor): Promise<Record<string, string>> {
  const dialog = page.getByRole('dialog').first();
  const buttons = dialog.getByRole('button', { name: 'Explanation' });
  await buttons.first().waitFor();
  const texts: Record<string, string> = {};
  for (const button of await buttons.all()) {
    const name = (await button.getAttribute('title')) ?? '';
    await button.click();
    const text = page.locator('[role="status"][lang="en"]');
    await expect.poll(() => text.textContent()).not.toBe('');
    texts[name] = (await text.textContent()) ?? '';
    await page.keyboard.press('Escape');
    await text.waitFor({ state: 'detached' });
  }
  return texts;
}

describe.skipIf(!hasBrowser)('the explanations of fields in the console', () => {
  const shop = useConsole(async (admin) => {
    await admin.send('POST', '/', { realm: 'shop', enabled: true });
  });

  it.each(dialogs)(
    'stand in the dialog of the list %s, which begins at its first field: %s',
    async (path, title, count) => {
      const visitor = await shop.visit(`master/shop/${path}`);
      await visitor.button(title).first().click();
      await visitor.page.getByRole('dialog').locator('input:focus').waitFor();
      expect(Object.keys(await explanationsIn(visitor))).toHaveLength(count);
      expect(visitor.faults).toEqual([]);
    },
  );

  it('stand in the dialog that creates a realm', async () => {
    const visitor = await shop.visit();
    await visitor.button('Create realm').click();
    const texts = await explanationsIn(visitor);
    expect(texts).toEqual({
      Name: 'Unique name of the realm. Part of its URLs.',
      'Display name': 'Display name of the realm on pages and in emails.',
    });
  });

  it('tell of a password that is set with the user', async () => {
    const visitor = await shop.visit('master/shop/users');
    await visitor.button('Create user').first().click();
    await visitor.page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('pw');
    const texts = await explanationsIn(visitor);
    expect(Object.keys(texts)).toHaveLength(6);
    expect(new Set(Object.values(texts)).size).toBe(6);
  });
});
