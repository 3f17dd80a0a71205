import { Prisma } from '../../generated/sqlite/client.js';
import { read } from '../core/operation.js';
import { notFound } from '../core/refusal.js';
import { representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';

/** A locale, and a key where one text is meant. */
export const TextAddress = representation('TextAddress', { locale: text, key: text });

export const locales = read({
  name: 'localization.locales',
  summary: 'The locales for which a realm has texts of its own.',
  allow: 'any:admin',
  run: async (ctx, { realm }: Target): Promise<string[]> => {
    const rows = await ctx.db.query<{ locale: string }>(
      Prisma.sql`SELECT DISTINCT "locale" FROM "LocalizationText" WHERE "realmId" = ${realm.id} ORDER BY "locale"`,
    );
    return rows.map(({ locale }) => locale);
  },
});

export const texts = read({
  name: 'localization.texts',
  summary: 'The texts of a realm in one locale, by key.',
  input: TextAddress,
  allow: 'any:admin',
  run: async (ctx, { realm }: Target, { locale = '' }): Promise<Record<string, string>> => {
    const rows = await ctx.db.localizationText.findMany({
      where: { realmId: realm.id, locale },
      select: { key: true, value: true },
      orderBy: [{ key: 'asc' }],
    });
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  },
});

export const get = read({
  name: 'localization.text',
  summary: 'One text of a realm in one locale.',
  input: TextAddress,
  allow: 'any:admin',
  run: async (ctx, { realm }: Target, { locale = '', key = '' }): Promise<string> => {
    const row = await ctx.db.localizationText.findUnique({
      where: { realmId_locale_key: { realmId: realm.id, locale, key } },
      select: { value: true },
    });
    if (!row) throw notFound('Localization text not found');
    return row.value;
  },
});
