import { limit } from '../../config/limits.js';
import type { Db } from '../../database/db.js';
import { ownMember, textsOf } from '../core/json.js';
import { listsByKey } from '../core/lists-by-key.js';
import type { RealmRecord } from '../core/realm.js';
import { german } from './messages-de.js';
import { english, type MessageKey } from './messages-en.js';

/** A text for the user, in no language yet. */
export interface Notice {
  key: MessageKey;
  parameters?: readonly string[];
  /** the field of the form that is at fault */
  field?: string;
  /** whether nothing went wrong */
  isHint?: boolean;
}

/** The texts of a realm's pages in one language. */
export interface Texts {
  locale: string;
  /** what else the reader may choose */
  locales: readonly string[];
  say(key: MessageKey, ...parameters: string[]): string;
  /** A text of the realm's own data, in which `${key}` stands for one that is looked up. */
  resolve(text: string): string;
}

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = { en: english, de: german };

/** Names of languages in themselves. */
export const languageName = (locale: string): string => {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
};

/** What the reader wants, best first, and whether it can be had. */
export interface LanguageWishes {
  /** chosen on the page */
  chosen?: string | null | undefined;
  /** `ui_locales` of the client */
  asked?: string | undefined;
  /** the cookie of an earlier choice */
  cookie?: string | undefined;
  /** the header Accept-Language */
  accepted?: string | undefined;
}

/** How much of what a reader or a client wishes for is looked at, in characters. */
const mostWished = limit(
  'Logins and tokens',
  'Languages that a login asks for',
  500,
  'characters',
  'the rest is ignored',
);

/** The language of a realm's pages for a reader. A realm that is not international speaks English. */
export function localeOf(
  { settings }: Pick<RealmRecord, 'settings'>,
  { chosen, asked, cookie, accepted }: LanguageWishes,
): { locale: string; locales: string[] } {
  if (settings.internationalizationEnabled !== true) return { locale: 'en', locales: [] };
  const locales = textsOf(settings.supportedLocales).filter((locale) => /^[A-Za-z0-9_-]{1,20}$/.test(locale));
  const standard = typeof settings.defaultLocale === 'string' && settings.defaultLocale ? settings.defaultLocale : 'en';
  const byHeader = (accepted ?? '')
    .slice(0, mostWished)
    .split(',')
    .map((part) => part.split(';q=') as [string, string?])
    .sort(([, one = '1'], [, other = '1']) => Number(other) - Number(one))
    .map(([name]) => name.trim());
  const wishes = [chosen ?? '', ...(asked ?? '').slice(0, mostWished).split(' '), cookie ?? '', ...byHeader];
  const places = new Map(locales.map((locale, at) => [locale, at]));
  for (const wish of wishes) {
    // the language itself, and the one that it is a variety of: the one that the realm names first
    const found = [wish, wish.split(/[-_]/, 1)[0] ?? ''].flatMap((name) => places.get(name) ?? []);
    const locale = locales[Math.min(...found)];
    if (locale !== undefined) return { locale, locales: locales.toSorted() };
  }
  return { locale: standard, locales: locales.toSorted() };
}

/** A realm and the language of its pages. */
type RealmLanguage = Pick<RealmRecord, 'id'> & { locale: string; locales: readonly string[] };

/** The texts of realms, each in its language, with those that the realms have of their own: one statement. */
export async function textsInEach(db: Db, asked: readonly RealmLanguage[]): Promise<Texts[]> {
  const rows = await db.localizationText.findMany({
    where: { OR: asked.map(({ id, locale }) => ({ realmId: id, locale })) },
    select: { realmId: true, locale: true, key: true, value: true },
  });
  const own = listsByKey(rows.map((row) => [`${row.realmId} ${row.locale}`, [row.key, row.value] as const]));
  return asked.map(({ id, locale, locales }) => textsOfTable(locale, locales, new Map(own.get(`${id} ${locale}`))));
}

/** The texts in a language, with those that the realm has of its own: one statement. */
export async function textsIn(
  db: Db,
  realm: Pick<RealmRecord, 'id'>,
  { locale, locales }: { locale: string; locales: readonly string[] },
): Promise<Texts> {
  const [texts = plainTexts()] = await textsInEach(db, [{ id: realm.id, locale, locales }]);
  return texts;
}

/** The texts of pages that belong to no realm. */
export const plainTexts = (): Texts => textsOfTable('en', [], new Map());

/** The texts in a language, or else those in English. */
const tableOf = (locale: string): Readonly<Record<string, string>> =>
  ownMember(tables, locale) ?? ownMember(tables, locale.split(/[-_]/)[0] ?? '') ?? english;

/** The texts of pages in a language by key. A text that the language does not have is the English one. */
export const standardPageTexts = (locale: string): Readonly<Record<string, string>> => ({
  ...english,
  ...tableOf(locale),
});

function textsOfTable(locale: string, locales: readonly string[], own: ReadonlyMap<string, string>): Texts {
  const table = tableOf(locale);
  const find = (key: string): string | undefined =>
    own.get(key) ?? ownMember(table, key) ?? ownMember<string>(english, key);
  const filled = (text: string, parameters: readonly string[]) =>
    text.replace(/\{(\d)\}/g, (_, index: string) => parameters[Number(index)] ?? '');
  return {
    locale,
    locales,
    say: (key, ...parameters) => filled(find(key) ?? key, parameters),
    resolve: (text) => text.replace(/\$\{([^${}]+)\}/g, (_, key: string) => find(key) ?? key),
  };
}
