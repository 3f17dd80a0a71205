import type { AddressFields } from './secure-addresses.js';

/** A client as somebody wants to write it. */
export interface Proposed extends AddressFields {
  protocol?: string | undefined;
  publicClient?: boolean | undefined;
  bearerOnly?: boolean | undefined;
  consentRequired?: boolean | undefined;
  fullScopeAllowed?: boolean | undefined;
  implicitFlowEnabled?: boolean | undefined;
  directAccessGrantsEnabled?: boolean | undefined;
  clientAuthenticatorType?: string | undefined;
  attributes?: Record<string, string> | undefined;
}

/** A client that is created, or what an update says of one. */
export interface ClientWrite {
  isNew: boolean;
  proposed: Proposed;
}

/** A request object (RFC 9101) whose signature was verified. */
export interface RequestObject {
  claims: Readonly<Record<string, unknown>>;
  isEncrypted: boolean;
}

/** A request that a client sends. */
export interface ClientRequest {
  kind: 'authorization' | 'token' | 'backchannel';
  isPublic: boolean;
  /** id of the way in which the client proves itself */
  authenticator: string;
  parameters: URLSearchParams;
  /** whether the tokens of the client are bound to a certificate, and the request has one */
  isCertificateBound?: boolean;
  /** algorithm of the assertion by which the client has proved itself */
  assertionAlgorithm?: string | undefined;
  /** whether the client has pushed its authorization request (RFC 9126) */
  isPushed?: boolean;
  /** the proof of a key in the request (RFC 9449), which may be wrong; undefined if there is none */
  proof?: { hasNonce: boolean } | undefined;
  /** the request object, if it could be read */
  object?: RequestObject | undefined;
  /** the time, in seconds since 1970 */
  at?: number;
}

export type Configuration = Readonly<Record<string, unknown>>;

/** Why an executor refuses: the error of OAuth and its text. */
export interface Objection {
  error: string;
  text: string;
}

/** The demands of an executor on the answers that a client gets. */
export interface AnswerDemand {
  /** the most seconds that a code is valid */
  codeLifespan?: number;
  /** whether the answer names the issuer, even if the settings of the client or the realm say otherwise */
  namesIssuer?: true;
  /** whether access tokens have few claims, even if the client does not say so */
  lightweightTokens?: true;
}

/** A rule of a profile for clients when they are written, and for their requests. */
export interface Executor {
  /** The changes that make a client conform, if the executor may make them itself. */
  configure?: (write: ClientWrite, configuration: Configuration) => Partial<Proposed> | undefined;
  check?: (write: ClientWrite, configuration: Configuration) => Objection | undefined;
  request?: (request: ClientRequest, configuration: Configuration) => Objection | undefined;
  answer?: (configuration: Configuration) => AnswerDemand;
}

/** The objection to the data of a client. */
export const metadata = (text: string): Objection => ({ error: 'invalid_client_metadata', text });
/** The objection to a request. */
export const badRequest = (text: string): Objection => ({ error: 'invalid_request', text });

/** Whether a switch of an executor or a condition is on. Its value may be a text, as in the reference. */
export function isOn(configuration: Configuration, name: string, standard = false): boolean {
  const value = configuration[name] ?? standard;
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

/** Whether an executor changes clients so that they conform. */
export const isAutomatic = (configuration: Configuration): boolean => isOn(configuration, 'auto-configure');

/** Has a client keep an attribute: set where the profile may do so, demanded otherwise. */
export const attribute = (name: string, value: string, text: string): Executor => ({
  configure: ({ proposed }, configuration) =>
    isAutomatic(configuration) ? { attributes: { ...proposed.attributes, [name]: value } } : undefined,
  check: ({ isNew, proposed }) => {
    const given = proposed.attributes?.[name];
    return given === value || (given === undefined && !isNew) ? undefined : metadata(text);
  },
});
