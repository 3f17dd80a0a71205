import { numberOf, textsOf } from '../../core/json.js';
import type { RealmRecord } from '../../core/realm.js';

/** Types of security keys: as a second factor, or in place of a password. They are types of credentials. */
export type KeyType = 'webauthn' | 'webauthn-passwordless';

/** COSE algorithm identifiers (IANA registry), by the names that policies have. */
const algorithms: ReadonlyMap<string, number> = new Map([
  ['ES256', -7],
  ['EdDSA', -8],
  ['ES384', -35],
  ['ES512', -36],
  ['RS256', -257],
  ['RS384', -258],
  ['RS512', -259],
  ['RS1', -65535],
]);

type Requirement = 'required' | 'preferred' | 'discouraged';

/** Requirements of a realm for security keys (Web Authentication Level 2). Undefined: not specified. */
export interface KeyPolicy {
  /** name of the realm that authenticators show */
  rpName: string;
  rpId: string;
  origin: string;
  algorithms: number[];
  attestation: 'none' | 'indirect' | 'direct' | undefined;
  attachment: 'platform' | 'cross-platform' | undefined;
  residentKey: 'required' | 'discouraged' | undefined;
  userVerification: Requirement | undefined;
  /** milliseconds */
  timeout: number | undefined;
  /** whether a user cannot register an authenticator twice */
  avoidsSame: boolean;
  /** models that may be registered; empty for all */
  aaguids: string[];
}

const oneOf = <T extends string>(value: unknown, ...allowed: T[]): T | undefined =>
  allowed.find((one) => one === value);

/** The policy of a realm for a type of keys, for browsers that use this address. Without a setting, the RP ID is the host. */
export function keyPolicy({ settings }: Pick<RealmRecord, 'settings'>, type: KeyType, baseUrl: string): KeyPolicy {
  const prefix = type === 'webauthn' ? 'webAuthnPolicy' : 'webAuthnPolicyPasswordless';
  const setting = (name: string): unknown => settings[`${prefix}${name}`];
  const { origin, hostname } = new URL(baseUrl);
  const named = textsOf(setting('SignatureAlgorithms')).flatMap((name) => algorithms.get(name) ?? []);
  const resident = setting('RequireResidentKey');
  const seconds = numberOf(settings, `${prefix}CreateTimeout`, 0);
  return {
    rpName: String(setting('RpEntityName') || 'Realmgate'),
    rpId: String(setting('RpId') || hostname),
    origin,
    algorithms: named.length > 0 ? named : [-7],
    attestation: oneOf(setting('AttestationConveyancePreference'), 'none', 'indirect', 'direct'),
    attachment: oneOf(setting('AuthenticatorAttachment'), 'platform', 'cross-platform'),
    residentKey: resident === 'Yes' ? 'required' : resident === 'No' ? 'discouraged' : undefined,
    userVerification: oneOf(setting('UserVerificationRequirement'), 'required', 'preferred', 'discouraged'),
    timeout: seconds > 0 ? seconds * 1000 : undefined,
    avoidsSame: setting('AvoidSameAuthenticatorRegister') === true,
    aaguids: textsOf(setting('AcceptableAaguids')).map((id) => id.toLowerCase()),
  };
}
