import {
  attributeIn,
  childNamed,
  childrenNamed,
  elementsIn,
  issuerIn,
  SamlFault,
  textOf,
} from '../../saml/document.js';
import { isEarly, isOver } from '../../saml/envelope.js';
import { bearer } from '../../saml/names.js';

/** An attribute of an assertion. */
export interface AssertedAttribute {
  name: string;
  friendlyName?: string;
  values: string[];
}

/** The values that an assertion has to match. Times are in seconds since 1970. */
export interface Expected {
  /** entity ID of the provider; undefined if neither settings nor metadata name it */
  issuer: string | undefined;
  /** entity ID of this server */
  audience: string;
  recipient: string;
  /** ID of the request that is answered */
  request: string;
  now: number;
  skew: number;
}

/** Conditions that are understood; one that is not makes an assertion invalid (SAML 2.0 core, section 2.5.1). */
const knownConditions = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);

/**
 * Checks that an assertion is meant for this server, now, and as the answer to its request (SAML 2.0 profiles, section 4.1.4.3).
 * Returns its subject. Throws `SamlFault`.
 */
export function checkAssertion(assertion: Element, expected: Expected): Element {
  if (attributeIn(assertion, 'Version') !== '2.0') throw new SamlFault('version');
  const issuer = issuerIn(assertion);
  if (issuer === '' || (expected.issuer !== undefined && issuer !== expected.issuer)) throw new SamlFault('issuer');
  checkConditions(assertion, expected);
  const subject = childNamed(assertion, 'assertion', 'Subject');
  const confirmations = subject ? childrenNamed(subject, 'assertion', 'SubjectConfirmation') : [];
  const faults = confirmations
    .filter((one) => attributeIn(one, 'Method') === bearer)
    .map((one) => faultOf(one, expected));
  if (!subject || faults.length === 0) throw new SamlFault('no_bearer');
  if (!faults.includes(undefined)) throw new SamlFault(faults[0] ?? 'no_bearer');
  return subject;
}

/** Why a confirmation does not make the browser the bearer of the assertion; undefined if it does. */
function faultOf(confirmation: Element, { recipient, request, now, skew }: Expected): string | undefined {
  const data = childNamed(confirmation, 'assertion', 'SubjectConfirmationData');
  if (!data || attributeIn(data, 'Recipient') !== recipient) return 'recipient';
  if (attributeIn(data, 'InResponseTo') !== request) return 'in_response_to';
  // the only one that may not be missing (section 4.1.4.2)
  if (!data.hasAttribute('NotOnOrAfter') || isOver(data, 'NotOnOrAfter', now - skew)) return 'expired';
  return isEarly(data, now + skew) ? 'not_yet_valid' : undefined;
}

function checkConditions(assertion: Element, { audience, now, skew }: Expected): void {
  const conditions = childNamed(assertion, 'assertion', 'Conditions');
  if (!conditions) throw new SamlFault('no_conditions');
  if (isEarly(conditions, now + skew)) throw new SamlFault('not_yet_valid');
  if (isOver(conditions, 'NotOnOrAfter', now - skew)) throw new SamlFault('expired');
  if (!elementsIn(conditions).every(({ localName }) => knownConditions.has(localName)))
    throw new SamlFault('unknown_condition');
  const restrictions = childrenNamed(conditions, 'assertion', 'AudienceRestriction');
  const isMeant = restrictions.every((one) =>
    childrenNamed(one, 'assertion', 'Audience').some((named) => textOf(named) === audience),
  );
  if (restrictions.length === 0 || !isMeant) throw new SamlFault('audience');
}

/** The attributes of an assertion. Throws `SamlFault` for one that is encrypted by itself. */
export const attributesOf = (assertion: Element): AssertedAttribute[] =>
  childrenNamed(assertion, 'assertion', 'AttributeStatement')
    .flatMap(elementsIn)
    .map((attribute) => {
      if (attribute.localName !== 'Attribute') throw new SamlFault('encrypted_attribute');
      const friendlyName = attributeIn(attribute, 'FriendlyName');
      return {
        name: attributeIn(attribute, 'Name') ?? '',
        ...(friendlyName && { friendlyName }),
        // some have a name of the user in them
        values: childrenNamed(attribute, 'assertion', 'AttributeValue').map((one) => (one.textContent ?? '').trim()),
      };
    });
