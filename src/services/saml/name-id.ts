import type { Element as Written } from '../core/xml.js';
import { decryptedElement, type Recipient } from './decrypt.js';
import { attributeIn, childNamed, isNamed, SamlFault, textOf } from './document.js';

/** How another identity provider names a user, with what makes the name unique (SAML 2.0 core, section 2.2.2). */
export interface ForeignNameId {
  value: string;
  format?: string;
  nameQualifier?: string;
  spNameQualifier?: string;
}

const attributes = { format: 'Format', nameQualifier: 'NameQualifier', spNameQualifier: 'SPNameQualifier' } as const;
type Qualifier = keyof typeof attributes;

/** Reads an element `NameID`. Throws `SamlFault` if it names nobody. */
function readNameId(element: Element): ForeignNameId {
  const value = textOf(element);
  if (value === '') throw new SamlFault('no_name_id');
  const given = Object.entries(attributes).flatMap(([name, attribute]) => {
    const text = attributeIn(element, attribute);
    return text ? [[name as Qualifier, text] as const] : [];
  });
  return { value, ...Object.fromEntries(given) };
}

/** How an element, such as the subject of an assertion, names a user: openly or encrypted. Undefined if it does not. Throws `SamlFault`. */
export async function nameIdIn(parent: Element, recipient: Recipient): Promise<ForeignNameId | undefined> {
  const plain = childNamed(parent, 'assertion', 'NameID');
  const encrypted = childNamed(parent, 'assertion', 'EncryptedID');
  if (plain && encrypted) throw new SamlFault('several_NameID');
  const named = encrypted ? (await decryptedElement(encrypted, recipient)).element : plain;
  if (!named) return undefined;
  if (!isNamed(named, 'assertion', 'NameID')) throw new SamlFault('no_name_id');
  return readNameId(named);
}

/** An element `NameID`, as `writeXml` takes it. */
export const nameIdElement = ({ value, ...qualifiers }: ForeignNameId): Written => ({
  ...Object.fromEntries(Object.entries(qualifiers).map(([name, text]) => [`@${attributes[name as Qualifier]}`, text])),
  '#': value,
});
