import type { Element } from '../../core/xml.js';
import { instant } from '../../saml/messages.js';
import { bearer, namespaces, unspecifiedContext } from '../../saml/names.js';
import type { AssertionAttribute } from './attributes.js';
import type { ChosenNameId } from './name-id.js';

/** What an assertion states. Times are in seconds since 1970. */
export interface Statement {
  id: string;
  issuer: string;
  at: number;
  nameId: ChosenNameId;
  /** where it goes */
  recipient: string;
  inResponseTo: string | undefined;
  audiences: readonly string[];
  attributes: readonly AssertionAttribute[];
  /** until when it may be delivered, and until when it counts */
  deliverableUntil: number;
  validUntil: number;
  isForOneUse: boolean;
  /** undefined for an assertion that says nothing of the login */
  session: { index: string; authTime: number; until: number | undefined } | undefined;
}

/** Clocks differ: seconds before its time at which an assertion counts. */
const earlier = 2;

/** An assertion about the login of a user (SAML 2.0 core, section 2.3.3). */
export const assertionOf = (statement: Statement): Element => {
  const { id, issuer, at, nameId, recipient, inResponseTo, attributes, session } = statement;
  return {
    'saml:Assertion': {
      '@xmlns:saml': namespaces.assertion,
      '@ID': id,
      '@IssueInstant': instant(at),
      '@Version': '2.0',
      'saml:Issuer': issuer,
      'saml:Subject': {
        'saml:NameID': { '@Format': nameId.format, '#': nameId.value },
        'saml:SubjectConfirmation': {
          '@Method': bearer,
          'saml:SubjectConfirmationData': {
            ...(inResponseTo !== undefined && { '@InResponseTo': inResponseTo }),
            '@NotOnOrAfter': instant(statement.deliverableUntil),
            '@Recipient': recipient,
          },
        },
      },
      'saml:Conditions': {
        '@NotBefore': instant(at - earlier),
        '@NotOnOrAfter': instant(statement.validUntil),
        'saml:AudienceRestriction': { 'saml:Audience': [...statement.audiences] },
        ...(statement.isForOneUse && { 'saml:OneTimeUse': '' }),
      },
      ...(session && {
        'saml:AuthnStatement': {
          '@AuthnInstant': instant(session.authTime),
          '@SessionIndex': session.index,
          ...(session.until !== undefined && { '@SessionNotOnOrAfter': instant(session.until) }),
          'saml:AuthnContext': { 'saml:AuthnContextClassRef': unspecifiedContext },
        },
      }),
      ...(attributes.length > 0 && {
        'saml:AttributeStatement': { 'saml:Attribute': attributes.map(attributeElement) },
      }),
    },
  };
};

const attributeElement = ({ name, nameFormat, friendlyName, values }: AssertionAttribute): Element => ({
  ...(friendlyName !== undefined && { '@FriendlyName': friendlyName }),
  '@Name': name,
  '@NameFormat': nameFormat,
  'saml:AttributeValue': values.map((value) => ({
    '@xmlns:xs': 'http://www.w3.org/2001/XMLSchema',
    '@xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    '@xsi:type': 'xs:string',
    '#': value,
  })),
});
