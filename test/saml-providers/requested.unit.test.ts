import { beforeAll, describe, expect, it } from 'vitest';
import type { SentRequest } from '../../src/services/brokering/authorization-request.js';
import { assertionXml, at, instant, newKey, type Parts, readerOf, responseXml, signed } from './idp.js';

let key: Awaited<ReturnType<typeof newKey>>;

beforeAll(async () => {
  key = await newKey('idp');
});

/** Who is logged in by an assertion with these parts, or why nobody is. */
async function outcome(parts: Parts, settings: Record<string, string> = {}, sent: Partial<SentRequest> = {}) {
  const xml = responseXml(await signed(assertionXml(parts), 'ID_a', key));
  return readerOf(key.certificate)(xml, settings, sent).then(
    ({ id }) => id,
    (error: Error) => error.message.replace('the response is not accepted: ', ''),
  );
}
const unspecified = 'urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified';
const login = (context: string | undefined, kind = 'Class', time = ` AuthnInstant="${instant(0)}"`): Parts => ({
  login: `<saml:AuthnStatement${time}><saml:AuthnContext>${context === undefined ? '' : `<saml:AuthnContext${kind}Ref>${context}</saml:AuthnContext${kind}Ref>`}</saml:AuthnContext></saml:AuthnStatement>`,
});

describe('the answer to a request', () => {
  const classes = { authnContextClassRefs: '["urn:a","urn:b"]' };

  it.each<[string, Record<string, string>, Parts, string]>([
    ['one of the contexts', classes, login('urn:b'), 'ann'],
    ['another context', classes, login('urn:c'), 'authn_context'],
    ['no context', classes, login(undefined), 'authn_context'],
    ['a declaration for a class', classes, login('urn:a', 'Decl'), 'authn_context'],
    ['a declaration', { authnContextDeclRefs: '["urn:d"]' }, login('urn:d', 'Decl'), 'ann'],
    ['another declaration', { authnContextDeclRefs: '["urn:d"]' }, login('urn:e', 'Decl'), 'authn_context'],
    ['a stronger context', { ...classes, authnContextComparisonType: 'minimum' }, login('urn:c'), 'ann'],
    ['the least context', { ...classes, authnContextComparisonType: 'MINIMUM' }, login('urn:a'), 'ann'],
    ['nothing', { ...classes, authnContextComparisonType: 'minimum' }, login(unspecified), 'authn_context'],
    ['a better context', { ...classes, authnContextComparisonType: 'better' }, login('urn:c'), 'ann'],
    ['no better context', { ...classes, authnContextComparisonType: 'better' }, login('urn:a'), 'authn_context'],
    ['a weaker context', { ...classes, authnContextComparisonType: 'maximum' }, login(unspecified), 'ann'],
    ['whatever the provider likes', {}, login(unspecified), 'ann'],
  ])('states %s', async (_, settings, parts, expected) => {
    expect(await outcome(parts, settings)).toBe(expected);
  });

  it('is about a login after the request, if one was asked for', async () => {
    const forced = { forcedAt: at / 1000 };
    const earlier = (seconds: number) => login('urn:a', 'Class', ` AuthnInstant="${instant(-seconds)}"`);
    expect(await outcome(earlier(3600))).toBe('ann');
    expect(await outcome(earlier(50), {}, forced)).toBe('ann');
    expect(await outcome(earlier(61), {}, forced)).toBe('old_login');
    expect(await outcome(earlier(6), { allowedClockSkew: '5' }, forced)).toBe('old_login');
    expect(await outcome(login('urn:a', 'Class', ''), {}, forced)).toBe('old_login');
  });

  it('needs no name ID if accounts are identified by an attribute', async () => {
    const attributes =
      '<saml:AttributeStatement><saml:Attribute Name="upn"><saml:AttributeValue>ann@corp</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>';
    const parts = { nameId: '', attributes };
    expect(await outcome(parts, { principalType: 'ATTRIBUTE', principalAttribute: 'upn' })).toBe('ann@corp');
    expect(await outcome(parts)).toBe('no_name_id');
  });
});
