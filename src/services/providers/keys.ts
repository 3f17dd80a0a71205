import { keyEncryptions } from '../keys/jwe.js';
import { type ProviderType, provider, setting } from './provider.js';

const encryptionSettings = [
  setting('active', 'boolean', { defaultValue: 'true' }),
  setting('algorithm', 'List', { defaultValue: 'RSA-OAEP', options: keyEncryptions }),
  setting('enabled', 'boolean', { defaultValue: 'true' }),
  // realms of newer versions have it, always with this value
  setting('keyUse', 'List', { options: ['ENC'] }),
  setting('priority', 'String', { defaultValue: '0' }),
];

/** Providers of keys for encryption of newer versions of Keycloak: realms can have them, and the list of the contract does not. */
export const newerKeyProviders: readonly ProviderType[] = [
  provider('rsa-enc', 'Uses a given RSA key pair for encryption.', [
    ...encryptionSettings,
    setting('certificate', 'File'),
    setting('privateKey', 'File', { secret: true }),
  ]),
  provider('rsa-enc-generated', 'Generates an RSA key pair for encryption.', [
    ...encryptionSettings,
    setting('keySize', 'List', { defaultValue: '2048', options: ['1024', '2048', '4096'] }),
  ]),
];

/** Providers of keys. */
export const keyProviders: readonly ProviderType[] = [
  provider('aes-generated', 'Generates an AES secret.', [
    setting('active', 'boolean', { defaultValue: 'true' }),
    setting('enabled', 'boolean', { defaultValue: 'true' }),
    setting('priority', 'String', { defaultValue: '0' }),
    setting('secretSize', 'List', { defaultValue: '16', options: ['16', '24', '32'] }),
  ]),
  provider('ecdsa-generated', 'Generates an elliptic curve key pair.', [
    setting('active', 'boolean', { defaultValue: 'true' }),
    setting('ecdsaEllipticCurveKey', 'List', { defaultValue: 'P-256', options: ['P-256', 'P-384', 'P-521'] }),
    setting('enabled', 'boolean', { defaultValue: 'true' }),
    setting('priority', 'String', { defaultValue: '0' }),
  ]),
  provider('hmac-generated', 'Generates an HMAC secret.', [
    setting('active', 'boolean', { defaultValue: 'true' }),
    setting('algorithm', 'List', { defaultValue: 'HS256', options: ['HS256', 'HS384', 'HS512'] }),
    setting('enabled', 'boolean', { defaultValue: 'true' }),
    setting('priority', 'String', { defaultValue: '0' }),
    setting('secretSize', 'List', { defaultValue: '64', options: ['128', '16', '24', '256', '32', '512', '64'] }),
  ]),
  provider('java-keystore', 'Reads an RSA key pair from a Java key store on the server.', [
    setting('active', 'boolean', { defaultValue: 'true' }),
    setting('algorithm', 'List', {
      defaultValue: 'RS256',
      options: ['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
    }),
    setting('enabled', 'boolean', { defaultValue: 'true' }),
    setting('keyAlias', 'String'),
    setting('keyPassword', 'String', { secret: true }),
    setting('keystore', 'String'),
    setting('keystorePassword', 'String', { secret: true }),
    setting('priority', 'String', { defaultValue: '0' }),
  ]),
  provider('rsa', 'Uses a given RSA key pair.', [
    setting('active', 'boolean', { defaultValue: 'true' }),
    setting('algorithm', 'List', {
      defaultValue: 'RS256',
      options: ['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
    }),
    setting('certificate', 'File'),
    setting('enabled', 'boolean', { defaultValue: 'true' }),
    setting('priority', 'String', { defaultValue: '0' }),
    setting('privateKey', 'File', { secret: true }),
  ]),
  provider('rsa-generated', 'Generates an RSA key pair.', [
    setting('active', 'boolean', { defaultValue: 'true' }),
    setting('algorithm', 'List', {
      defaultValue: 'RS256',
      options: ['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
    }),
    setting('enabled', 'boolean', { defaultValue: 'true' }),
    setting('keySize', 'List', { defaultValue: '2048', options: ['1024', '2048', '4096'] }),
    setting('keyUse', 'List', { defaultValue: 'sig', options: ['enc', 'sig'] }),
    setting('priority', 'String', { defaultValue: '0' }),
  ]),
];
