import type { Language } from './language.js';
import type { Mail } from './server.js';
import { escapeHtml, fill } from './texts.js';

const units = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
  ['seconds', 1],
] as const;

/** A time span in the largest unit that divides it, e.g. "12 hours". */
export function timeSpan({ text }: Language, seconds: number): string {
  const [name, size] = units.find(([, length]) => seconds >= length && seconds % length === 0) ?? units[3];
  const count = seconds / size;
  const key = `linkExpirationFormatter.timePeriodUnit.${name}`;
  return `${count} ${text(count === 1 ? `${key}.1` : key) ?? name}`;
}

/** A mail out of the texts `<name>Subject`, `<name>Body` and `<name>BodyHtml`. */
export function composed(language: Language, name: string, to: string, values: readonly string[]): Mail {
  const text = (key: string) => language.text(name + key) ?? '';
  const body = fill(text('BodyHtml'), values, escapeHtml);
  return {
    to,
    subject: fill(text('Subject'), values).replace(/\s+/g, ' '),
    text: fill(text('Body'), values),
    html: `<!doctype html>\n<html lang="${escapeHtml(language.locale)}"><body>${body}</body></html>\n`,
  };
}

/** The name of a realm for readers: its display name, or its name. */
export const realmTitle = ({ displayName, name }: { displayName: string | null; name: string }): string =>
  displayName || name;
