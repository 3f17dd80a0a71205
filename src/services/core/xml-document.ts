import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** The fault of a text that cannot be read as an XML document. */
type XmlFault = 'malformed' | 'deep';

/** No document that is read here has more elements within each other. */
export const deepest = 100;

/**
 * The document element of an XML text without a document type, by name; or its fault. Takes a microsecond or more per
 * character.
 */
export function documentOf(text: string): object | XmlFault {
  try {
    if (XMLValidator.validate(text) !== true) return 'malformed';
    if (depthOf(text) > deepest) return 'deep';
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '@',
      removeNSPrefix: true,
      parseTagValue: false,
      parseAttributeValue: false,
      trimValues: true,
    });
    const parsed: unknown = parser.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : {};
  } catch {
    // names such as __proto__
    return 'malformed';
  }
}

/** A comment, a section, an instruction, or the tag of an element with its attributes. */
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
