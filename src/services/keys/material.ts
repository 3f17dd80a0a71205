import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import type { KeyOwner, RealmKey } from '../core/ports.js';
import { certificateBytes, selfSignedCertificate } from './certificate.js';
import { newCurveKey, newRsaKey } from './generate.js';
import { pemBytes } from './pem.js';
import type { Material, Provider } from './provider.js';

/** Whether the provider has all the material that its key needs. */
export function isComplete({ type, material }: Provider): boolean {
  if (type === 'OCT') return has(material, 'secret') && has(material, 'kid');
  if (type === 'EC') return has(material, 'ecdsaPrivateKey');
  return has(material, 'privateKey') && has(material, 'certificate');
}

/**
 * The missing material of a realm's provider, as entries to add. Refuses as `busy` if too many keys wait. Undefined for
 * an imported provider without its key. Rejects if the existing key cannot be read.
 */
export async function missingMaterial(provider: Provider, realm: KeyOwner): Promise<Material | undefined> {
  const { type, material, generated } = provider;
  if (type === 'OCT') {
    return {
      kid: material.kid ?? [randomUUID()],
      secret: material.secret ?? [randomBytes(provider.size).toString('base64url')],
    };
  }
  const name = type === 'EC' ? 'ecdsaPrivateKey' : 'privateKey';
  if (!generated && !has(material, name)) return undefined;
  const privateKey =
    material[name]?.[0] !== undefined ? readPrivateKey(material[name][0]) : await newPrivateKey(provider, realm.id);
  const publicKey = createPublicKey(privateKey);
  const found: Material = { [name]: [der(privateKey)] };
  if (type === 'EC') found.ecdsaPublicKey = [der(publicKey)];
  else found.certificate = material.certificate ?? [await selfSignedCertificate(privateKey, publicKey, realm.name)];
  return found;
}

const newPrivateKey = async ({ type, size, curve }: Provider, line: string): Promise<KeyObject> =>
  (type === 'EC' ? await newCurveKey(curve) : await newRsaKey(size, line)).privateKey;

/** The key of a provider that is complete. Throws when its material cannot be read. */
export function keyOf(provider: Provider): RealmKey {
  const { id, type, algorithm, use, status, priority, material } = provider;
  const key = { algorithm, use, status, type, providerId: id, providerPriority: priority };
  if (type === 'OCT') {
    const secret = createSecretKey(Buffer.from(material.secret?.[0] ?? '', 'base64url'));
    return { ...key, kid: material.kid?.[0] ?? id, secret };
  }
  const privateKey = readPrivateKey(material[type === 'EC' ? 'ecdsaPrivateKey' : 'privateKey']?.[0] ?? '');
  if (privateKey.asymmetricKeyType !== (type === 'EC' ? 'ec' : 'rsa'))
    throw new Error('The type of the key differs from that of its provider');
  const publicKey = createPublicKey(privateKey);
  const certificate = certificateBytes(material.certificate?.[0] ?? '');
  return {
    ...key,
    kid: material.kid?.[0] ?? thumbprint(publicKey),
    privateKey,
    publicKey,
    ...(certificate && { certificate: certificate.toString('base64') }),
  };
}

// The key ID of the reference server, so that an imported realm keeps its IDs (this is not the thumbprint of RFC 7638).
const thumbprint = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64url');

const der = (key: KeyObject): string =>
  key.export({ format: 'der', type: key.type === 'private' ? 'pkcs8' : 'spki' }).toString('base64');

const has = (material: Material, name: string): boolean => Boolean(material[name]?.[0]);

/** A private key in PEM or bare base64, as PKCS #8 (RFC 5958), PKCS #1 (RFC 8017) or SEC 1 (RFC 5915). */
export function readPrivateKey(text: string): KeyObject {
  const bytes = pemBytes(text);
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: bytes, format: 'der', type });
    } catch {
      // the next form
    }
  }
  // without the cause: its text may quote the key
  throw new Error('The private key of a key provider cannot be read');
}
