import { standardPageTexts } from '../login/texts.js';
import { standardMailTexts } from '../mail/texts.js';

/** A text of pages or emails with its key. */
export interface StandardText {
  key: string;
  value: string;
}

/**
 * The texts of pages and emails in a locale before a realm replaces any, ordered by key. English if the locale has no
 * texts.
 */
export const standardTexts = (locale: string): StandardText[] =>
  Object.entries({ ...standardPageTexts(locale), ...standardMailTexts(locale) })
    .map(([key, value]) => ({ key, value }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
