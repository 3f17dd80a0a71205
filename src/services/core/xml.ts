import { invalid } from './refusal.js';

/** An element that was read: attributes with `@` in front, `#text`, and child elements by their names without prefix. */
export interface Element {
  [name: string]: unknown;
}

const most = 1_000_000;
/** No document that is read here has more elements within each other. */
const deepest = 100;

/**
 * The document element of an XML text, by name. Document types are refused, and with them entities of the sender's own
 * (XML 1.0 section 4), so that nothing is fetched and nothing grows. Throws `invalid`.
 */
export async function parseXml(text: string, field: string): Promise<Element> {
  // only for those who send XML: it would lengthen every start
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  if (text.length > most) throw invalid('The XML document is too long', field);
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) throw invalid('XML with a document type declaration is not accepted', field);
  const malformed = () => invalid('The document must be well-formed XML', field);
  if (validity(XMLValidator, text) !== true) throw malformed();
  if (depthOf(text) > deepest) throw invalid(`The XML document must have at most ${deepest} levels`, field);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: true,
  });
  try {
    return elementOf(parser.parse(text));
  } catch {
    // names such as __proto__
    throw malformed();
  }
}

function validity(validator: { validate(text: string): unknown }, text: string): unknown {
  try {
    return validator.validate(text);
  } catch {
    return false;
  }
}

/** What is no element, or the tag of one with its attributes. */
const markup =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)[^\s<>/!?]+(?:[^"'<>]|"[^"]*"|'[^']*')*?(\/?)>/g;

/** How many elements of a well-formed text are within each other. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const [, closes, isEmpty] of text.matchAll(markup)) {
    if (closes === undefined) continue;
    if (closes) depth -= 1;
    else if (!isEmpty) depth += 1;
    most = Math.max(most, depth);
  }
  return most;
}

/**
 * Writes an element, by its name, as XML without a declaration: attributes have @ in front, `#` is text, and a list stands
 * for several of one name. Characters that XML cannot have are replaced.
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
