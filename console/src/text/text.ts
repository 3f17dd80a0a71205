import { useCallback } from 'react';
import { createStore, useStore } from '../session/store.js';
import { type Text, words } from './words.js';

export type { Text };

/** The languages of the console, in the order of the texts of a catalogue. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const stored = 'realmgate-console-language';
const order = Object.keys(languages) as Language[];
const isLanguage = (name: string): name is Language => name in languages;

/** The language of the console: the one that was chosen, or that of the browser, or English. */
export const language = createStore<Language>(
  [localStorage.getItem(stored) ?? '', ...navigator.languages.map((name) => name.slice(0, 2))].find(isLanguage) ?? 'en',
);

/** Chooses a language, which the browser remembers. */
export function chooseLanguage(name: Language): void {
  localStorage.setItem(stored, name);
  language.set(name);
}

type PlaceholdersOf<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never;
type Values<Entry extends Text> = [PlaceholdersOf<Entry[0]>] extends [never]
  ? []
  : [values: Record<PlaceholdersOf<Entry[0]>, string | number>];

/** Gives the text of a key in the present language. */
export type Translate<Catalogue extends Record<string, Text>> = <Key extends keyof Catalogue>(
  key: Key,
  ...values: Values<Catalogue[Key]>
) => string;

/** Declares the texts of an area, which it has besides the words of all areas. A missing translation is a type error. */
export const catalogue = <const Catalogue extends Record<string, Text>>(
  texts: Catalogue,
): Omit<typeof words, keyof Catalogue> & Catalogue => ({ ...words, ...texts });

/** The texts of an area in the present language. */
export function useText<Catalogue extends Record<string, Text>>(texts: Catalogue): Translate<Catalogue> {
  const present = useStore(language);
  return useCallback(
    (key, ...[values]) => translated(texts[key] as Text, present, values as Record<string, string | number>),
    [texts, present],
  );
}

/** One text in a language. Numbers are written as the language writes them. */
function translated(text: Text, name: Language, values: Record<string, string | number> = {}): string {
  const pattern = text[order.indexOf(name)] ?? text[0];
  return pattern.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = values[key];
    return typeof value === 'number' ? numbers(name).format(value) : (value ?? '');
  });
}

/** Gives single texts, such as titles and labels that are data, in the present language. */
export function useTranslated(): (text: Text) => string {
  const present = useStore(language);
  return useCallback((text) => translated(text, present), [present]);
}

/** Makes a formatter of a language when it is first used, and keeps it: that takes the browser many milliseconds. */
function keptByLanguage<Formatter>(make: (name: Language) => Formatter): (name: Language) => Formatter {
  const made = new Map<Language, Formatter>();
  return (name) => {
    const formatter = made.get(name) ?? make(name);
    made.set(name, formatter);
    return formatter;
  };
}

const numbers = keptByLanguage((name) => new Intl.NumberFormat(name));
const moments = keptByLanguage((name) => new Intl.DateTimeFormat(name, { dateStyle: 'medium', timeStyle: 'short' }));

/** Functions that write dates and numbers in the present language. */
export function useFormat() {
  const present = useStore(language);
  return {
    number: (value: number) => numbers(present).format(value),
    moment: (value: string) => moments(present).format(new Date(value)),
  };
}

/** What values of the API's enums are called, where a form offers them or a list shows them. */
const names: Readonly<Record<string, Text>> = {
  REQUIRED: ['Required', 'Erforderlich'],
  ALTERNATIVE: ['Alternative', 'Alternativ'],
  CONDITIONAL: ['Conditional', 'Bedingt'],
  DISABLED: ['Disabled', 'Deaktiviert'],
  ALL: ['For all requests', 'Für alle Anfragen'],
  EXTERNAL: ['For external requests', 'Für externe Anfragen'],
  NONE: ['Not required', 'Nicht erforderlich'],
  READ_ONLY: ['Read-only', 'Nur lesen'],
  WRITABLE: ['Writable', 'Schreibbar'],
  UNSYNCED: ['Changes are stored locally', 'Änderungen lokal speichern'],
  IMPORT: ['At the first login only', 'Nur bei der ersten Anmeldung'],
  FORCE: ['At each login', 'Bei jeder Anmeldung'],
  LEGACY: ['As mappers did before (legacy)', 'Wie frühere Mapper (Legacy)'],
  POSITIVE: ['Positive', 'Positiv'],
  NEGATIVE: ['Negative', 'Negativ'],
  UNANIMOUS: ['Unanimous', 'Einstimmig'],
  AFFIRMATIVE: ['Affirmative', 'Eine genügt'],
  CONSENSUS: ['Consensus', 'Mehrheit'],
  PUBLIC: ['Public', 'Öffentlich'],
  CONFIDENTIAL: ['Confidential', 'Vertraulich'],
  BEARER_ONLY: ['Bearer-only', 'Nur Bearer-Tokens'],
  ACTIVE: ['Active', 'Aktiv'],
  PASSIVE: ['Passive', 'Passiv'],
};

/** Gives the name of a value of an enum in the present language; the value itself if it has none. */
export function useValueName(): (value: string) => string {
  const present = useStore(language);
  return (value) => {
    const name = names[value];
    return name ? translated(name, present) : value;
  };
}
