import { invalid } from '../core/refusal.js';
import { storable } from '../core/shape.js';
import type { Target } from '../core/target.js';

/** The texts of a realm in one locale; there need not be any yet. */
export interface LocaleTarget extends Target {
  locale: string;
}

/** A text of a realm, by locale and key. */
export interface TextTarget extends LocaleTarget {
  key: string;
}

/** Validates the name of a locale or text: not empty, at most 255 characters, storable. Throws `invalid`. */
function named(value: string, field: string): string {
  if (value === '' || value.length > 255 || !storable.safeParse(value).success) {
    throw invalid(`${field} must be 1 to 255 characters`, field);
  }
  return value;
}

/** A realm's texts in a locale. Throws `invalid` for an invalid locale. */
export const localeOf = ({ realm }: Target, locale: string): LocaleTarget => ({
  realm,
  locale: named(locale, 'locale'),
});

/** A text of a realm. Throws `invalid` for an invalid locale or key. */
export const textOf = (parent: Target, locale: string, key: string): TextTarget => ({
  ...localeOf(parent, locale),
  key: named(key, 'key'),
});
