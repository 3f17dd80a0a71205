import { invalid } from './refusal.js';
import { answerOfThread } from './thread.js';
import { createTurnstile } from './turnstile.js';

/** An element that was read: attributes with `@` in front, `#text`, and child elements by their names without prefix. */
export interface Element {
  [name: string]: unknown;
}

const most = 1_000_000;
/**
 * Up to this number of characters are read at once. Longer texts are read in a thread, so that no other request waits.
 */
const mostAtOnce = 10_000;
// one at a time with a short queue, because each occupies a processor
const turnstile = createTurnstile(1, 10);

/**
 * The document element of an XML text, by name. Document types are refused, and with them custom entities (XML 1.0
 * section 4), so nothing is fetched and nothing expands. Long texts of a realm wait for one another: `line` is its ID.
 * Throws `invalid`.
 */
export async function parseXml(text: string, field: string, line?: string): Promise<Element> {
  if (text.length > most) throw invalid('The XML document is too long', field);
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) throw invalid('XML with a document type declaration is not accepted', field);
  // loaded only when XML is read: it would lengthen every start
  const { deepest, documentOf } = await import('./xml-document.js');
  const found =
    text.length <= mostAtOnce
      ? documentOf(text)
      : await turnstile(() => answerOfThread<ReturnType<typeof documentOf>>('xml', text), line);
  if (found === undefined) throw invalid('The XML document takes too long to read', field);
  if (found === 'malformed') throw invalid('The document must be well-formed XML', field);
  if (found === 'deep') throw invalid(`The XML document must have at most ${deepest} levels`, field);
  return elementOf(found);
}

/**
 * Writes an element, by its name, as XML without a declaration. Names of attributes begin with @, `#` is text, and a
 * list stands for several elements of one name. Characters that XML cannot have are replaced.
 */
export async function writeXml(element: Element, { pretty = true }: { pretty?: boolean } = {}): Promise<string> {
  const { XMLBuilder } = await import('fast-xml-parser');
  const builder = new XMLBuilder({
    attributeNamePrefix: '@',
    attributeValueProcessor: (_name, value) => representable(String(value)),
    format: pretty,
    ignoreAttributes: false,
    indentBy: '    ',
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
    tagValueProcessor: (_name, value) => representable(String(value)),
    textNodeName: '#',
  });
  return String(builder.build(element)).trimEnd();
}

/** A text with U+FFFD for each character that XML 1.0 does not have. */
const representable = (text: string): string =>
  text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD');

const elementOf = (value: unknown): Element =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Element) : {};

/** The child elements of this name. */
export function childrenOf(element: Element, name: string): Element[] {
  const value = element[name];
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map((child) =>
    typeof child === 'string' ? { '#text': child } : elementOf(child),
  );
}

/** The text of the first child of this name. */
export function textOfChild(element: Element, name: string): string | undefined {
  const text = childrenOf(element, name)[0]?.['#text'];
  return typeof text === 'string' ? text : undefined;
}

/** An attribute. */
export function attributeOf(element: Element, name: string): string | undefined {
  const value = element[`@${name}`];
  return typeof value === 'string' ? value : undefined;
}
