/// <reference types="vite/client" />
import { loadModule } from '../session/modules.js';
import { createStore } from '../session/store.js';

/** The languages of the console. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const stored = 'realmgate-console-language';
const isLanguage = (name: string): name is Language => name in languages;

/** The language of the console: the one that was chosen, or that of the browser, or English. Its texts are loaded. */
export const language = createStore<Language>(
  [localStorage.getItem(stored) ?? '', ...navigator.languages.map((name) => name.slice(0, 2))].find(isLanguage) ?? 'en',
);

/** Chooses a language, which the browser remembers. It is shown once the texts of all open areas are loaded. */
export async function chooseLanguage(name: Language): Promise<void> {
  localStorage.setItem(stored, name);
  await loadUsed(name);
  // another one may have been chosen meanwhile
  if (localStorage.getItem(stored) === name) language.set(name);
}

/**
 * A text of an area in all languages. The values of its `{placeholders}` have the names `Values`. It can be shown once the texts of the
 * area are loaded.
 */
export interface Text<Values extends string = string> {
  readonly folder: string;
  readonly key: string;
  /** is shown if the area lacks the text */
  readonly otherwise?: string;
  /** no value, but a part of the type */
  readonly values?: Values;
}

/** The texts of an area in one language, by their keys. */
type Table = Readonly<Record<string, string>>;

const files = import.meta.glob<Table>('../*/texts.*.json', { import: 'default' });
const tables = new Map<string, Table>();
/** The folder of the words of all areas. */
const shared = 'words';
/** The folders whose texts are shown by sources that are loaded. */
const used = new Set([shared]);

async function loadTable(folder: string, name: Language): Promise<void> {
  const path = `../${folder}/texts.${name}.json`;
  const load = files[path];
  if (load && !tables.has(path)) tables.set(path, await loadModule(load));
}

/** Loads the texts of the areas whose sources are loaded. */
async function loadUsed(name: Language): Promise<void> {
  let loaded = 0;
  // further areas may be opened meanwhile
  while (loaded < used.size) {
    const folders = [...used];
    await Promise.all(folders.map((folder) => loadTable(folder, name)));
    loaded = folders.length;
  }
}

/** Waits for the texts of all sources that are loaded. */
async function ready(): Promise<void> {
  const name = language.get();
  await loadUsed(name);
  if (language.get() !== name) await ready();
}

/** Waits for a module and for the texts that it shows. Those of the folders are loaded beside the module. */
export async function withTexts<Module>(module: Promise<Module>, folders: readonly string[] = []): Promise<Module> {
  const [loaded] = await Promise.all([module, ready(), ...folders.map((folder) => loadTable(folder, language.get()))]);
  await ready();
  return loaded;
}

/**
 * The texts of a folder, which files that are generated declare with the keys as they are in the JSON files.
 * @public
 */
export function catalogue<Texts>(folder: string): Texts {
  used.add(folder);
  const made = new Map<string, Text>();
  const get = (_: unknown, key: string): Text => {
    const text = made.get(key) ?? { folder, key };
    made.set(key, text);
    return text;
  };
  return new Proxy({}, { get }) as Texts;
}

/** The text of a key that the catalogue may lack, as that of a setting that only the server knows. */
export const textOr = (texts: object, key: string, otherwise: string): Text =>
  ({ ...(texts as Record<string, Text>)[key], otherwise }) as Text;

/** A text of a folder. Undefined if it is not loaded or does not exist. */
function textIn(folder: string, key: string, name: Language): string | undefined {
  const table = tables.get(`../${folder}/texts.${name}.json`) ?? {};
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** One of the words of all areas. Undefined if there is none with the key. */
export const wordOf = (key: string, name: Language): string | undefined => textIn(shared, key, name);

/** A text in a language, with its placeholders. An area has the words of all areas too. Undefined if there is none. */
export const patternOf = ({ folder, key }: Text, name: Language): string | undefined =>
  textIn(folder, key, name) ?? wordOf(key, name);

/** A text in all languages that are loaded, for a search. */
export const inLanguages = (text: Text | string): string =>
  typeof text === 'string'
    ? text
    : Object.keys(languages)
        .map((name) => patternOf(text, name as Language) ?? '')
        .join(' ');

/** Loads the texts of the open areas in all languages. */
export const loadLanguages = () => Promise.all(Object.keys(languages).map((name) => loadUsed(name as Language)));
