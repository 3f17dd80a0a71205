import { limit } from '../../config/limits.js';
import { namespaces } from './names.js';

/** A message that is not read, because of its form, its signature, or its content. The text is for logs and events. */
export class SamlFault extends Error {}

/** How long a message may be. It is parsed in the turn of one request, which takes up to a microsecond for each character. */
export interface Bounds {
  /** after it is inflated */
  characters: number;
  elements: number;
}

const group = 'Logins and tokens';
const effect = 'the message is not valid';
const unit = 'characters, after it is inflated';

/** Bounds of a message that anybody can send. */
export const ofRequests: Bounds = {
  characters: limit(group, 'SAML message', 50_000, unit, effect),
  elements: limit(group, 'Elements of a SAML message', 400, 'elements', effect),
};

/** Bounds of a response for a login that has begun here: users are in many groups. */
export const ofResponses: Bounds = {
  characters: limit(group, 'Response of a SAML identity provider', 200_000, unit, effect),
  elements: limit(group, 'Elements of the response of a SAML identity provider', 2_500, 'elements', effect),
};

/** Attributes of an element, which are compared with each other, and of an element with those around it: namespaces are looked up among them. */
const mostAttributes = 50;
const mostInScope = 200;
const deepest = limit(group, 'Depth of a SAML message', 50, 'levels', effect);

/** An element with the text that it was read from, which may be that of a document around it. */
export interface TextElement {
  text: string;
  element: Element;
}

const isElement = (node: Node): node is Element => node.nodeType === 1;
const declaration = /^<\?xml\s[^?<>]*\?>/;

/**
 * The document element of a SAML message. Refuses document types, entities, comments, CDATA sections, and processing
 * instructions, on which parsers differ, and messages that take long to read. Two parsers have to find the text well-formed.
 * Throws `SamlFault`.
 */
export async function parseMessage(text: string, bounds = ofRequests): Promise<Element> {
  if (text.length > bounds.characters) throw new SamlFault('too_long');
  const [head = ''] = declaration.exec(text) ?? [];
  const encoding = /\sencoding\s*=\s*["']([^"']*)/.exec(head)?.[1];
  if (encoding !== undefined && !/^(utf-8|us-ascii)$/i.test(encoding)) throw new SamlFault('encoding');
  const body = text.slice(head.length);
  if (/<[!?]/.test(body)) throw new SamlFault('markup');
  requireFewTags(body, bounds);
  // only for those who send messages: both would lengthen every start
  const [{ XMLValidator }, { DOMParser }] = await Promise.all([import('fast-xml-parser'), import('@xmldom/xmldom')]);
  if (XMLValidator.validate(body) !== true) throw new SamlFault('malformed');
  const parser = new DOMParser({
    errorHandler: () => {
      throw new SamlFault('malformed');
    },
  });
  let root: Element | null;
  try {
    const document = parser.parseFromString(body, 'text/xml');
    root = document.documentElement;
    if (Array.from(document.childNodes).filter(isElement).length > 1) throw new SamlFault('malformed');
  } catch {
    throw new SamlFault('malformed');
  }
  if (!root) throw new SamlFault('malformed');
  checkTree(root);
  return root;
}

/** Refuses text with many elements, deep ones, and those with many attributes, in one pass over its tags. Throws `SamlFault`. */
function requireFewTags(text: string, { elements }: Bounds): void {
  const around: number[] = [];
  let inScope = 0;
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    if (text[at + 1] === '/') {
      inScope -= around.pop() ?? 0;
      at += 1;
      continue;
    }
    const { end, attributes } = tagAt(text, at);
    count += 1;
    if (count > elements || attributes > mostAttributes || inScope + attributes > mostInScope)
      throw new SamlFault('too_many_elements');
    if (text[end - 1] !== '/') {
      around.push(attributes);
      inScope += attributes;
    }
    if (around.length > deepest) throw new SamlFault('too_deep');
    at = end;
  }
}

/** Where a tag ends, and the number of its quoted values. Throws `SamlFault`. */
function tagAt(text: string, start: number): { end: number; attributes: number } {
  let attributes = 0;
  for (let end = start + 1; end > 0 && end < text.length; end += 1) {
    const character = text[end];
    if (character === '>') return { end, attributes };
    if (character !== '"' && character !== "'") continue;
    attributes += 1;
    end = text.indexOf(character, end + 1);
    if (end < 0) break;
  }
  throw new SamlFault('malformed');
}

/** Characters that XML 1.0 does not have, which references can still name. */
const unrepresentable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Refuses characters that no document has, a tree that is deep, and one in which two elements have the same ID, of which one could stand for the other. */
function checkTree(root: Element): void {
  const ids = new Set<string>();
  const visit = (element: Element, depth: number): void => {
    if (depth > deepest) throw new SamlFault('too_deep');
    for (const { localName, value } of Array.from(element.attributes)) {
      if (unrepresentable.test(value)) throw new SamlFault('character');
      if (localName.toLowerCase() !== 'id') continue;
      if (ids.has(value)) throw new SamlFault('duplicate_id');
      ids.add(value);
    }
    for (const child of Array.from(element.childNodes)) if (isElement(child)) visit(child, depth + 1);
  };
  if (unrepresentable.test(root.textContent ?? '')) throw new SamlFault('character');
  visit(root, 1);
}

/** The namespaces that are declared around an element, by prefix; that of the empty prefix is the default. */
export function namespacesAround({ parentNode }: Element): Map<string, string> {
  if (!parentNode || !isElement(parentNode)) return new Map();
  const found = namespacesAround(parentNode);
  for (const { name, value } of Array.from(parentNode.attributes)) {
    if (name === 'xmlns') found.set('', value);
    if (name.startsWith('xmlns:')) found.set(name.slice('xmlns:'.length), value);
  }
  return found;
}

/** The child elements of an element. */
export const elementsIn = (parent: Element): Element[] => Array.from(parent.childNodes).filter(isElement);

/** Whether an element has this name in this namespace. */
export const isNamed = (element: Element, namespace: keyof typeof namespaces, name: string): boolean =>
  element.namespaceURI === namespaces[namespace] && element.localName === name;

/** The child elements of this name. */
export const childrenNamed = (parent: Element, namespace: keyof typeof namespaces, name: string): Element[] =>
  elementsIn(parent).filter((child) => isNamed(child, namespace, name));

/** The child element of this name, of which there must not be two. Throws `SamlFault`. */
export function childNamed(parent: Element, namespace: keyof typeof namespaces, name: string): Element | undefined {
  const [first, second] = childrenNamed(parent, namespace, name);
  if (second) throw new SamlFault(`several_${name}`);
  return first;
}

/** The text of an element that has no elements in it. Throws `SamlFault`. */
export function textOf(element: Element): string {
  if (elementsIn(element).length > 0) throw new SamlFault('markup_in_text');
  return (element.textContent ?? '').trim();
}

/** An attribute without a prefix; undefined if the element does not have it. */
export const attributeIn = (element: Element, name: string): string | undefined =>
  element.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined;

/** Characters of an entity ID (SAML 2.0 core, section 8.3.6). */
const longestIssuer = 1024;

/** The issuer that a message names. Throws `SamlFault` if there are several, or its name is too long. */
export function issuerIn(root: Element): string {
  const issuer = childNamed(root, 'assertion', 'Issuer');
  const name = issuer ? textOf(issuer) : '';
  if (name.length > longestIssuer) throw new SamlFault('issuer');
  return name;
}
