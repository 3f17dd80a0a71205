import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { SentRequest } from '../../src/services/brokering/authorization-request.js';
import type { BrokeredIdentity } from '../../src/services/brokering/identity.js';
import { kindOf } from '../../src/services/brokering/kinds.js';
import type { BrokerProvider } from '../../src/services/brokering/provider.js';
import type { Upstream } from '../../src/services/brokering/provider-context.js';
import { assertedIdentity } from '../../src/services/brokering/saml/asserted.js';
import { selfSignedCertificate } from '../../src/services/keys/certificate.js';
import { algorithmNamed } from '../../src/services/saml/algorithms.js';
import { signElement } from '../../src/services/saml/sign.js';

/** A key pair with its certificate. */
export async function newKey(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { privateKey, publicKey, certificate: await selfSignedCertificate(privateKey, publicKey, name) };
}
type Key = Awaited<ReturnType<typeof newKey>>;

export const ids = { request: 'ID_request', audience: 'https://id.example/sp', issuer: 'https://idp.example' };
export const endpoint = 'https://id.example/auth/realms/shop/broker/corp/endpoint';
export const at = Date.parse('2030-01-01T12:00:00Z');
export const instant = (seconds: number): string => new Date(at + seconds * 1000).toISOString();

/** Parts of a response, which a test replaces. */
const parts = {
  version: 'Version="2.0"',
  issued: `IssueInstant="${instant(0)}"`,
  destination: ` Destination="${endpoint}"`,
  answers: ` InResponseTo="${ids.request}"`,
  issuer: `<saml:Issuer>${ids.issuer}</saml:Issuer>`,
  ownIssuer: `<saml:Issuer>${ids.issuer}</saml:Issuer>`,
  status: '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>',
  nameId: '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">ann</saml:NameID>',
  confirmed: `NotOnOrAfter="${instant(300)}" Recipient="${endpoint}" InResponseTo="${ids.request}"`,
  method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  times: `NotBefore="${instant(-10)}" NotOnOrAfter="${instant(300)}"`,
  audience: `<saml:AudienceRestriction><saml:Audience>${ids.audience}</saml:Audience></saml:AudienceRestriction>`,
  login: `<saml:AuthnStatement AuthnInstant="${instant(0)}" SessionIndex="s-1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:a</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
  attributes: '',
  more: '',
};
export type Parts = Partial<typeof parts>;

/** An assertion that is good, but for what a test replaces. */
export function assertionXml(changed: Parts = {}, id = 'ID_a'): string {
  const p = { ...parts, ...changed };
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" ${p.version} ${p.issued}>${p.ownIssuer}<saml:Subject>${p.nameId}<saml:SubjectConfirmation Method="${p.method}"><saml:SubjectConfirmationData ${p.confirmed}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions ${p.times}>${p.audience}</saml:Conditions>${p.login}${p.attributes}</saml:Assertion>`;
}

/** A response with this content, which is good, but for what a test replaces. */
export function responseXml(content: string, changed: Parts = {}, id = 'ID_r'): string {
  const p = { ...parts, ...changed };
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" ${p.version} ${p.issued}${p.destination}${p.answers}>${p.issuer}${p.status}${content}${p.more}</samlp:Response>`;
}

/** Signs the element of a document that has this ID. */
export const signed = (
  xml: string,
  id: string,
  { privateKey, certificate }: Key,
  algorithm = 'RSA_SHA256',
): Promise<string> =>
  signElement(xml, id, {
    key: privateKey,
    certificate,
    kid: '',
    keyName: undefined,
    by: algorithmNamed(algorithm),
    canonicalization: undefined,
  });

/** Reads responses as a realm with this key does that has a provider with these settings. */
export function readerOf(certificate: string, ownKeys: readonly KeyObject[] = [], more: Partial<Upstream> = {}) {
  return (
    xml: string | Buffer,
    settings: Record<string, string> = {},
    sent: Partial<SentRequest> = {},
  ): Promise<BrokeredIdentity> => {
    const all = { entityId: ids.audience, idpEntityId: ids.issuer, signingCertificate: certificate, ...settings };
    const kind = kindOf('saml', all);
    if (!kind) throw new Error('SAML is no kind of provider');
    const provider: BrokerProvider = {
      id: 'corp',
      realmId: 'shop',
      alias: 'corp',
      providerId: 'saml',
      label: 'Corp',
      kind,
      settings: all,
      enabled: true,
      trustEmail: true,
      storeToken: false,
      linkOnly: false,
      addReadTokenRoleOnCreate: false,
      firstBrokerLoginFlowAlias: '',
      postBrokerLoginFlowAlias: null,
    };
    const upstream = {
      keyring: {
        realmKeys: async () => ownKeys.map((privateKey) => ({ privateKey, type: 'RSA', status: 'ACTIVE' })),
      },
      realm: { id: 'shop', name: 'shop' },
      baseUrl: 'https://id.example/auth',
      now: () => at,
      ...more,
    } as unknown as Upstream;
    const parameters = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: 's' });
    return assertedIdentity(upstream, provider, { state: 's', messageId: ids.request, ...sent }, { parameters });
  };
}
