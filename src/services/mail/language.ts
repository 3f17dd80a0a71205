import type { Db } from '../../database/db.js';
import { standardMailTexts, type Texts } from './texts.js';

interface Realm {
  id: string;
  settings: Readonly<Record<string, unknown>>;
}

/** The texts for one reader. */
export interface Language {
  /** BCP 47 tag */
  locale: string;
  text(key: string): string | undefined;
}

const standard = 'en';

/** The requested locale, if the realm supports it, or else the realm's default. */
function localeFor({ settings }: Realm, wanted: string | undefined): string {
  if (settings.internationalizationEnabled !== true) return standard;
  const supported = Array.isArray(settings.supportedLocales) ? (settings.supportedLocales as unknown[]) : [];
  if (wanted && supported.includes(wanted)) return wanted;
  return typeof settings.defaultLocale === 'string' && settings.defaultLocale ? settings.defaultLocale : standard;
}

/** The texts of a locale: from the realm, then from this server, then in English. One statement. */
export async function languageOf(db: Db, realm: Realm, wanted: string | undefined): Promise<Language> {
  const locale = localeFor(realm, wanted);
  const rows = await db.localizationText.findMany({
    where: { realmId: realm.id, locale },
    select: { key: true, value: true },
  });
  const own: Texts = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  const ours = standardMailTexts(locale);
  return { locale, text: (key) => own[key] ?? ours[key] };
}
