import type { Element as Written } from '../core/xml.js';
import { attributeIn, SamlFault, textOf } from './document.js';

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
export function readNameId(element: Element): ForeignNameId {
  const value = textOf(element);
  if (value === '') throw new SamlFault('no_name_id');
  const given = Object.entries(attributes).flatMap(([name, attribute]) => {
    const text = attributeIn(element, attribute);
    return text ? [[name as Qualifier, text] as const] : [];
  });
  return { value, ...Object.fromEntries(given) };
}

/** An element `NameID`, as `writeXml` takes it. */
export const nameIdElement = ({ value, ...qualifiers }: ForeignNameId): Written => ({
  ...Object.fromEntries(Object.entries(qualifiers).map(([name, text]) => [`@${attributes[name as Qualifier]}`, text])),
  '#': value,
});
