import { useCallback, useEffect, useState } from 'react';
import { useStore } from '../session/store.js';
import { type Language, language, loadLanguages, patternOf, type Text, wordOf } from './catalogue.js';

export type { Text };

type ValuesOf<Entry> =
  Entry extends Text<infer Values>
    ? [Values] extends [never]
      ? []
      : [values: Record<Values, string | number>]
    : never;

/** Gives the text of a key in the present language. */
export type Translate<Texts> = <Key extends keyof Texts>(key: Key, ...values: ValuesOf<Texts[Key]>) => string;

/** The texts of an area in the present language. */
export function useText<Texts>(texts: Texts): Translate<Texts> {
  const present = useStore(language);
  return useCallback(
    (key, ...[values]) => translated(texts[key] as Text, present, values as Record<string, string | number>),
    [texts, present],
  );
}

/** One text in a language. Numbers are written as the language writes them. */
function translated(text: Text, name: Language, values: Record<string, string | number> = {}): string {
  const pattern = patternOf(text, name);
  if (pattern === undefined) return text.otherwise ?? text.key;
  return pattern.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = values[key];
    return typeof value === 'number' ? numbers(name).format(value) : (value ?? '');
  });
}

/** Gives single texts, such as titles and labels that are data, in the present language. */
export function useTranslated(): Words['translate'] {
  const present = useStore(language);
  return useCallback(
    (text, values) => (typeof text === 'string' ? text : translated(text, present, values)),
    [present],
  );
}

/** Loads the texts in all languages, so that a search finds those of the others. Renders again once they are loaded. */
export function useAllLanguages(isSearching: boolean): void {
  const [, setLoaded] = useState(false);
  useEffect(() => {
    if (isSearching) void loadLanguages().then(() => setLoaded(true));
  }, [isSearching]);
}

/** The present language for functions that are no components, such as those of a column. */
export interface Words {
  /** a text that is one in all languages stays as it is */
  translate(text: Text | string, values?: Record<string, string | number>): string;
  /** the name of a value of an enum */
  valueName(value: string): string;
  /** the name of an object as it is stored */
  storedName(name: string): string;
}

/** The words of the present language. */
export function useWords(): Words {
  const [translate, valueName, storedName] = [useTranslated(), useValueName(), useStoredName()];
  return { translate, valueName, storedName };
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

/** Words of values that are written in capitals. */
const acronyms = /\b(pkce|ciba|saml|id|totp|uri|json|oidc|cli|sp|ldap|url|html|smtp|otp|jwks)\b/g;

/** A value such as `USER_ATTRIBUTE` or `${role_view-profile}` as one writes it: "User attribute", "View profile". Others as they are. */
function readableValue(value: string): string {
  const [, of, role] = /^([A-Z]+(?:_[A-Z]+)+)$|^\$\{role_([\w-]+)\}$/.exec(value) ?? [];
  const text = of ?? role;
  return text === undefined ? value : inWords(text.replaceAll(/[_-]/g, ' '));
}

/** Words in small letters, but for the first one and acronyms. */
function inWords(text: string): string {
  const words = text.toLowerCase().replace(acronyms, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A name such as `isStandardEnabled` as one writes it: "Standard enabled". Others as they are. */
function readableName(name: string): string {
  if (!/^[a-z]+([A-Z][a-z]*)*$/.test(name)) return name;
  const text = name.replace(/^is(?=[A-Z])/, '').replaceAll(/([A-Z])/g, ' $1');
  return inWords(text.trim());
}

/** Gives the name of a field by its path; keys such as the name of an attribute are added. */
export function useFieldName(): (path: readonly string[]) => string {
  const present = useStore(language);
  return ([first = '', ...rest]) => {
    const name = wordOf(`field.${first}`, present) ?? wordOf(first, present);
    return name ? [name, ...rest].join(': ') : [first, ...rest].map(readableName).join(': ');
  };
}

/** Gives the name of a value of an enum in the present language, or the value in words. */
export function useValueName(): (value: string) => string {
  const present = useStore(language);
  return (value) => wordOf(`value.${value}`, present) ?? readableValue(value);
}

/** Gives the name of an object as it is stored. One such as `${client_account}` stands for a text in the present language. */
function useStoredName(): (name: string) => string {
  const valueName = useValueName();
  return (name) => (name.startsWith('${') ? valueName(name) : name);
}
