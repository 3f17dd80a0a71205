import { requireWhole } from '../core/entitlement.js';
import { members } from '../core/json.js';
import { read, write } from '../core/operation.js';
import type { Permit } from '../core/ports.js';
import { invalid, notFound } from '../core/refusal.js';
import { flag, longMap, longText, representation } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { isMailText } from '../mail/texts.js';
import type { LocaleTarget, TextTarget } from './locate.js';
import { localesOf, storeText } from './store.js';

const absent = () => notFound('Localization text not found');

/** The texts of mails determine the targets of their links for new passwords, also in mails to administrators. */
function checkTexts(permit: Permit, target: Target, keys: readonly string[]): void {
  if (keys.some(isMailText)) requireWhole(target, permit);
}

/** Texts are members of objects in responses and files, which cannot have a member of this name. */
function requireNames(locale: string, keys: readonly string[]): void {
  if (locale === '__proto__') throw invalid('The locale `__proto__` is not allowed', 'locale');
  if (keys.includes('__proto__')) throw invalid('The key `__proto__` is not allowed', 'key');
}

const touched = ({ id }: { id: string }) => [`localization:${id}`];

const audited = (path: string) => ({ resourceType: 'REALM', resourcePath: `localization/${path}` });

const TextsFilter = representation('LocalizationTextsFilter', { withDefaults: flag });

export const locales = read({
  name: 'localization.locales',
  summary: 'Returns the locales for which a realm has custom texts.',
  allow: 'any:admin',
  run: (ctx, { realm }: Target): Promise<string[]> => localesOf(ctx.db, realm.id),
});

export const texts = read({
  name: 'localization.texts',
  summary:
    'Returns the custom texts of a realm in one locale, by key, and on request those of the default locale for the other keys.',
  input: TextsFilter,
  allow: 'any:admin',
  run: async (ctx, { realm, locale }: LocaleTarget, { withDefaults }): Promise<Record<string, string>> => {
    const other = withDefaults ? members(realm.settings).defaultLocale : undefined;
    const found = await ctx.db.localizationText.findMany({
      where: { realmId: realm.id, locale: { in: typeof other === 'string' ? [locale, other] : [locale] } },
      select: { locale: true, key: true, value: true },
      orderBy: [{ key: 'asc' }],
    });
    // the last text of a key counts
    const rows = [...found.filter((row) => row.locale !== locale), ...found.filter((row) => row.locale === locale)];
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  },
});

export const get = read({
  name: 'localization.text',
  summary: 'Returns a custom text of a realm in one locale.',
  allow: 'any:admin',
  run: async (ctx, { realm, locale, key }: TextTarget): Promise<string> => {
    const row = await ctx.db.localizationText.findUnique({
      where: { realmId_locale_key: { realmId: realm.id, locale, key } },
      select: { value: true },
    });
    if (!row) throw absent();
    return row.value;
  },
});

export const set = write({
  name: 'localization.setText',
  summary: 'Sets a custom text of a realm in one locale.',
  input: longText,
  allow: 'manage:realm',
  check: (permit, target: TextTarget) => checkTexts(permit, target, [target.key]),
  run: async (tx, { realm, locale, key }: TextTarget, value) => {
    requireNames(locale, [key]);
    await storeText(tx, { realmId: realm.id, locale, key, value });
    return value;
  },
  event: (value, { locale, key }) => ({
    operationType: 'UPDATE',
    ...audited(`${locale}/${key}`),
    representation: { [key]: value },
  }),
  touches: (_value, { realm }) => touched(realm),
});

export const setMany = write({
  name: 'localization.setTexts',
  summary: 'Sets custom texts of a realm in one locale. Other texts stay unchanged.',
  input: longMap,
  allow: 'manage:realm',
  check: (permit, target: LocaleTarget, given) => checkTexts(permit, target, Object.keys(given)),
  run: async (tx, { realm, locale }: LocaleTarget, given) => {
    const rows = Object.entries(given).map(([key, value]) => ({ realmId: realm.id, locale, key, value }));
    requireNames(
      locale,
      rows.map(({ key }) => key),
    );
    if (rows.some(({ key }) => key === '')) throw invalid('`key` is required', 'key');
    if (rows.length > 0) {
      await tx.localizationText.deleteMany({
        where: { realmId: realm.id, locale, key: { in: rows.map(({ key }) => key) } },
      });
      await tx.localizationText.createMany({ data: rows });
    }
    return { realmId: realm.id, given };
  },
  event: ({ given }, { locale }) => ({ operationType: 'UPDATE', ...audited(locale), representation: given }),
  touches: (_result, { realm }) => touched(realm),
});

export const remove = write({
  name: 'localization.deleteText',
  summary: 'Deletes a custom text of a realm in one locale.',
  allow: 'manage:realm',
  run: async (tx, { realm, locale, key }: TextTarget) => {
    const { count } = await tx.localizationText.deleteMany({ where: { realmId: realm.id, locale, key } });
    if (count === 0) throw absent();
    return { realmId: realm.id };
  },
  event: (_result, { locale, key }) => ({ operationType: 'DELETE', ...audited(`${locale}/${key}`) }),
  touches: (_result, { realm }) => touched(realm),
});

export const removeMany = write({
  name: 'localization.deleteTexts',
  summary: 'Deletes all custom texts of a realm in one locale. The built-in texts are used again.',
  allow: 'manage:realm',
  run: async (tx, { realm, locale }: LocaleTarget) => {
    const { count } = await tx.localizationText.deleteMany({ where: { realmId: realm.id, locale } });
    if (count === 0) throw notFound(`No localization texts for locale ${locale} found.`);
    return { realmId: realm.id };
  },
  event: (_result, { locale }) => ({ operationType: 'DELETE', ...audited(locale) }),
  touches: (_result, { realm }) => touched(realm),
});
