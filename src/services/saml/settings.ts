import { members, numberOf, ownMember } from '../core/json.js';
import type { KeyOwner, Keyring } from '../core/ports.js';
import { type Place as Caller, type ManagedClient, managementAddress } from '../sessions/management-address.js';
import { type Algorithm, acceptedAlgorithms, algorithmNamed } from './algorithms.js';
import type { Encryption } from './encrypt.js';
import { nameIdFormats } from './names.js';
import { type Signing, subjectOf } from './sign.js';

/** The binding of a message that goes through a browser. */
export type BrowserBinding = 'post' | 'redirect';

/** The settings of a SAML client, read from its attributes. */
export interface SamlSettings {
  signsDocuments: boolean;
  signsAssertions: boolean;
  requiresSignature: boolean;
  /** as stored, of the client */
  certificate: string | undefined;
  algorithm: Algorithm;
  /** with which the client may sign */
  accepted: readonly Algorithm[];
  canonicalization: string | undefined;
  keyName: string;
  namesKeyInExtension: boolean;
  /** undefined if assertions are not encrypted */
  encryption: Encryption | undefined;
  forcesPost: boolean;
  usesArtifacts: boolean;
  nameIdFormat: string | undefined;
  forcesNameIdFormat: boolean;
  hasAuthnStatement: boolean;
  hasOneTimeUse: boolean;
  /** seconds; 0 for the lifespans of the realm */
  assertionLifespan: number;
  /** whether all roles of an assertion are values of one attribute, whatever the mapper says */
  joinsRoles: boolean;
  initiatedRelayState: string | undefined;
  /** addresses by binding, of the assertion consumer and for logouts */
  consumers: Partial<Record<BrowserBinding, string>>;
  logouts: Partial<Record<BrowserBinding | 'soap', string>>;
}

const formats: Record<string, string> = { ...nameIdFormats, username: nameIdFormats.unspecified };

/** The settings that the attributes of a client hold. What is not set has the meaning that it has in the contract. */
export function samlSettings(attributes: unknown): SamlSettings {
  const stored = members(attributes);
  const text = (name: string): string | undefined => {
    const value = stored[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const isOn = (name: string): boolean => stored[name] === 'true';
  const addresses = <B extends string>(name: string, bindings: readonly B[]): Partial<Record<B, string>> => {
    const found: Partial<Record<B, string>> = {};
    for (const binding of bindings) {
      const address = text(`${name}_${binding}`);
      if (address !== undefined) found[binding] = address;
    }
    return found;
  };
  return {
    signsDocuments: isOn('saml.server.signature'),
    signsAssertions: isOn('saml.assertion.signature'),
    requiresSignature: isOn('saml.client.signature'),
    certificate: text('saml.signing.certificate'),
    algorithm: algorithmNamed(text('saml.signature.algorithm')),
    accepted: acceptedAlgorithms(text('saml.signature.algorithm')),
    canonicalization: text('saml_signature_canonicalization_method'),
    keyName: text('saml.server.signature.keyinfo.xmlSigKeyInfoKeyNameTransformer') ?? 'KEY_ID',
    namesKeyInExtension: isOn('saml.server.signature.keyinfo.ext'),
    encryption: isOn('saml.encrypt')
      ? {
          certificate: text('saml.encryption.certificate'),
          algorithm: text('saml.encryption.algorithm'),
          keyAlgorithm: text('saml.encryption.keyAlgorithm'),
          digest: text('saml.encryption.digestMethod'),
          maskGeneration: text('saml.encryption.maskGenerationFunction'),
        }
      : undefined,
    forcesPost: isOn('saml.force.post.binding'),
    usesArtifacts: isOn('saml.artifact.binding'),
    nameIdFormat: ownMember(formats, text('saml_name_id_format') ?? ''),
    forcesNameIdFormat: isOn('saml_force_name_id_format'),
    hasAuthnStatement: isOn('saml.authnstatement'),
    hasOneTimeUse: isOn('saml.onetimeuse.condition'),
    assertionLifespan: Math.max(0, Math.floor(numberOf(stored, 'saml.assertion.lifespan', 0))),
    joinsRoles: isOn('saml.multivalued.roles'),
    initiatedRelayState: text('saml_idp_initiated_sso_relay_state'),
    consumers: addresses('saml_assertion_consumer_url', ['post', 'redirect']),
    logouts: addresses('saml_single_logout_service_url', ['post', 'redirect', 'soap']),
  };
}

type Place = Pick<Caller, 'baseUrl' | 'config'>;

/** The client of an address. */
type Addressed = Pick<ManagedClient, 'adminUrl' | 'rootUrl' | 'attributes'>;

/** An address that a browser or the server may send messages to; anything else could be a script. */
const usable = (address: string | undefined): string | undefined =>
  address !== undefined && /^https?:\/\/[^/?#\s]/i.test(address) && URL.canParse(address) ? address : undefined;

/** Where the assertions of a client go for a binding, unless its request names an address: its own for it, or else its admin address. */
export const consumerAddress = (client: Addressed, binding: BrowserBinding, place: Place): string | undefined =>
  usable(samlSettings(client.attributes).consumers[binding] ?? managementAddress(client, place));

/** Where a client takes messages about logouts for a binding: its own address for it, or else its admin address. */
export const logoutAddress = (client: Addressed, binding: BrowserBinding, place: Place): string | undefined =>
  usable(samlSettings(client.attributes).logouts[binding] ?? managementAddress(client, place));

/** Where the server itself tells a client of logouts, and in which form. */
export function backChannelAddress(
  client: Addressed,
  place: Place,
): { address: string; binding: 'soap' | 'post' } | undefined {
  const soap = usable(samlSettings(client.attributes).logouts.soap);
  if (soap !== undefined) return { address: soap, binding: 'soap' };
  const address = logoutAddress(client, 'post', place);
  return address === undefined ? undefined : { address, binding: 'post' };
}

/** The signature of the realm in documents for another side. Never call it while a transaction is open. */
export async function signingFor(
  { keyring }: { keyring: Keyring },
  realm: KeyOwner,
  settings: Pick<SamlSettings, 'keyName' | 'algorithm' | 'canonicalization'>,
): Promise<Signing> {
  const { kid, privateKey, certificate } = await keyring.signingKey(realm, 'RS256');
  if (!privateKey) throw new Error('The key for RS256 cannot sign');
  const names: Record<string, string | undefined> = {
    NONE: undefined,
    CERT_SUBJECT: certificate === undefined ? undefined : subjectOf(certificate),
  };
  return {
    key: privateKey,
    certificate,
    kid,
    keyName: Object.hasOwn(names, settings.keyName) ? names[settings.keyName] : kid,
    by: settings.algorithm,
    canonicalization: settings.canonicalization,
  };
}
