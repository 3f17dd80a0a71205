import { ownMember } from '../../core/json.js';

/** Markup that needs no escaping any more. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | false | readonly Part[];

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as it stands in markup, in an attribute between quotes too. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ownMember(escapes, character) ?? '');

const written = (part: Part): string => {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return escaped(String(part));
};

/** Markup of a template; whatever is put in is escaped, unless it is markup itself. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(texts.map((text, index) => text + written(parts[index])).join(''));
