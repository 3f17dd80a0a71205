import type { Prisma } from '../../generated/sqlite/client.js';
import { readPrivateKey } from '../keys/material.js';

/** The columns of a client that the formats read. */
export const installedSelect = {
  id: true,
  clientId: true,
  protocol: true,
  clientAuthenticatorType: true,
  publicClient: true,
  bearerOnly: true,
  authorizationServicesEnabled: true,
  nodeReRegistrationTimeout: true,
  adminUrl: true,
  attributes: true,
  secret: true,
  _count: { select: { roles: true } },
} as const satisfies Prisma.ClientSelect;

type Row = Prisma.ClientGetPayload<{ select: typeof installedSelect }>;

/** A client and its realm, as the input of the formats. */
export interface InstalledClient extends Omit<Row, 'attributes' | 'secret' | '_count'> {
  realm: { id: string; name: string; sslRequired: string };
  /** address of the server, without a slash at the end */
  baseUrl: string;
  /** address of the realm */
  issuer: string;
  secret: string | undefined;
  /** without the private keys for callers who may not see them */
  attributes: Readonly<Record<string, string>>;
  hasRoles: boolean;
  /** whether a client scope of the realm names it as the audience of tokens */
  isAudience: boolean;
  /** the keys with which the realm signs, best first: their IDs and base64 of their certificates */
  signingKeys: readonly { kid: string; certificate: string }[];
}

/** Whether the attribute is switched on. */
export const isOn = ({ attributes }: InstalledClient, name: string): boolean => attributes[name] === 'true';

/** Bytes in base64 as PEM (RFC 7468); a PEM text stays unchanged. */
export const pem = (label: string, text: string): string =>
  text.includes('-----')
    ? text
    : `-----BEGIN ${label}-----\n${text.replace(/\s/g, '').replace(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`;

/** A private key of any stored form as PEM of PKCS #8 (RFC 5958); unchanged if it cannot be read. */
export function privateKeyPem(stored: string): string {
  try {
    return readPrivateKey(stored).export({ format: 'pem', type: 'pkcs8' }).toString();
  } catch {
    return pem('PRIVATE KEY', stored);
  }
}
