import type { KeyOwner } from '../core/ports.js';
import type { Claims } from './claims.js';
import {
  boundCertificate,
  certificateOfRequest,
  certificateThumbprint,
  type FindCertificate,
  isCertificateBound,
} from './client-certificate.js';
import type { TokenContext } from './context.js';
import { isKeyBound, keyOfRequest, mayPresentWithProof, type Presented, type Proof } from './dpop.js';
import type { TokenClient } from './types.js';

/** Thumbprints of what the tokens of an answer are bound to: a key (RFC 9449) and a certificate (RFC 8705). */
export interface Binding {
  readonly key?: string | undefined;
  readonly certificate?: string | undefined;
}

/** The proof and the certificate that come with an access token. */
export interface Possession {
  proof?: Proof | undefined;
  findCertificate?: FindCertificate | undefined;
}

interface Asked {
  baseUrl: string;
  /** the header `DPoP` */
  proof?: string | undefined;
  findCertificate?: FindCertificate | undefined;
}

type Context = Pick<TokenContext, 'database' | 'keyring' | 'now'>;

/** The binding of the tokens that a client asks for. Throws the error of OAuth if the client must show a proof or a certificate and does not. */
export async function bindingOf(
  context: Context,
  realm: KeyOwner,
  client: Pick<TokenClient, 'attributes'>,
  asked: Asked,
): Promise<Binding> {
  const certificate = certificateOfRequest(client, asked.findCertificate);
  return { certificate, key: await keyOfRequest(context, realm, client, asked) };
}

/** The claim that binds a token, RFC 7800 section 3.1. */
export const confirmation = ({ key, certificate }: Binding): Claims =>
  key === undefined && certificate === undefined
    ? {}
    : {
        cnf: { ...(key !== undefined && { jkt: key }), ...(certificate !== undefined && { 'x5t#S256': certificate }) },
      };

/** Whether a client gets only tokens that are bound to a key or to its certificate. */
export const isBoundClient = (client: Pick<TokenClient, 'attributes'>): boolean =>
  isKeyBound(client) || isCertificateBound(client);

/** Whether tokens that are bound in this way lack a binding that a client requires. */
export const lacksBinding = (client: Pick<TokenClient, 'attributes'>, { key, certificate }: Binding): boolean =>
  (isKeyBound(client) && key === undefined) || (isCertificateBound(client) && certificate === undefined);

/**
 * Whether a request may use an access token: it needs the certificate and the proof of the key that the token is bound to. A bound
 * token is of no use to somebody who has only copied it. Throws `unauthenticated` with a nonce if the proof needs one.
 */
export async function mayPresent(
  context: Context,
  presented: Presented,
  token: string,
  claims: Claims,
  { proof, findCertificate }: Possession = {},
): Promise<boolean> {
  const bound = boundCertificate(claims);
  if (bound !== undefined) {
    const certificate = findCertificate?.();
    if (!certificate || certificateThumbprint(certificate) !== bound) return false;
  }
  return mayPresentWithProof(context, presented, token, claims, proof);
}
