import * as certificates from '../../services/client-certificates/operations.js';
import {
  type CertificateTarget,
  certificateOf,
  purposesOf,
} from '../../services/client-certificates/representation.js';
import { clientById } from '../../services/clients/locate.js';
import { isSecretAttribute } from '../../services/clients/secrets.js';
import type { Context } from '../../services/core/context.js';
import { ownMember } from '../../services/core/json.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { locatedNode } from '../core/node.js';
import { BinaryFileInput, base64Of } from '../core/upload.js';

interface CertificateValue {
  purpose: string;
  certificate?: string | undefined;
  publicKey?: string | undefined;
  kid?: string | undefined;
  hasPrivateKey: boolean;
}

const ClientCertificate = builder.objectRef<CertificateValue>('ClientCertificate').implement({
  description:
    'Certificate or public key of a client for one purpose. The private key is returned only inside a downloaded key store.',
  fields: (t) => ({
    purpose: t.exposeString('purpose', {
      description: 'Purpose of the key, as a prefix of client attributes, e.g. `jwt.credential` or `saml.signing`.',
    }),
    certificate: t.exposeString('certificate', {
      nullable: true,
      description: 'X.509 certificate in DER, base64-encoded. Null if only a public key is stored.',
    }),
    publicKey: t.exposeString('publicKey', {
      nullable: true,
      description: 'Public key, if it was uploaded without a certificate. Null otherwise.',
    }),
    keyId: t.string({
      nullable: true,
      description: 'Key ID (`kid`) from the JSON Web Key Set that was uploaded. Null if there was none.',
      resolve: ({ kid }) => kid ?? null,
    }),
    hasPrivateKey: t.exposeBoolean('hasPrivateKey', { description: 'Whether the server stores the private key.' }),
  }),
});

builder.prismaObjectFields(Client, (t) => ({
  certificate: t.field({
    type: ClientCertificate,
    description: 'Certificate or public key of the client for one purpose.',
    args: {
      purpose: t.arg.string({
        required: true,
        description: 'Purpose of the key, e.g. `jwt.credential` or `saml.signing`.',
      }),
    },
    select: { attributes: true },
    resolve: ({ attributes }, { purpose }) => withoutKey(attributes, purpose),
  }),
  certificates: t.field({
    type: [ClientCertificate],
    description: 'Certificates and public keys of the client, one for each purpose in use.',
    select: { attributes: true },
    resolve: ({ attributes }) => purposesOf(attributes).map((purpose) => withoutKey(attributes, purpose)),
  }),
}));

function withoutKey(attributes: unknown, purpose: string): CertificateValue {
  const { privateKey, ...info } = certificateOf(masked(attributes), purpose);
  return { ...info, purpose, hasPrivateKey: privateKey !== undefined };
}

/** The attributes with masks in place of secrets. */
const masked = (attributes: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes as Record<string, string>).map(([name, value]) => [
      name,
      isSecretAttribute(name) ? '' : value,
    ]),
  );

const KeystoreFormat = builder.enumType('KeyStoreFormat', {
  description: 'Format of a key store.',
  values: { JKS: { description: 'Java KeyStore (JKS).' }, PKCS12: { description: 'PKCS #12 (RFC 7292).' } },
});

const fileFormats = {
  CERTIFICATE_PEM: { value: 'Certificate PEM', description: 'X.509 certificate: PEM, or its base64 content alone.' },
  PUBLIC_KEY_PEM: { value: 'Public Key PEM', description: 'Public key in PEM.' },
  JWKS: { value: 'JSON Web Key Set', description: 'JSON Web Key Set (RFC 7517).' },
  JKS: { value: 'JKS', description: 'Java KeyStore (JKS).' },
  PKCS12: { value: 'PKCS12', description: 'PKCS #12 key store (RFC 7292).' },
} as const;

const FileFormat = builder.enumType('ClientCertificateFileFormat', {
  description: 'Format of an uploaded certificate or key file.',
  values: fileFormats,
});

type Inputs = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const whose = (t: Inputs) => ({
  client: t.id({ required: true, description: 'ID of the client.' }),
  purpose: t.string({ required: true, description: 'Purpose of the key, e.g. `jwt.credential` or `saml.signing`.' }),
});

const locate = async (input: { client: string; purpose: string }, ctx: Context): Promise<CertificateTarget> => {
  const { realm, id } = await locatedNode(ctx, input.client, 'client', 'Client');
  return { ...(await clientById(ctx, realm, id)), attribute: input.purpose };
};

const theClient = {
  client: {
    type: Client,
    model: 'client',
    description: 'The client after the change.',
    id: ({ id }: certificates.ChangedCertificate) => id,
  },
};

mutation('clientCertificateGenerate', {
  description: 'Generates a key pair with a certificate for a client and replaces the previous one.',
  operation: certificates.generate,
  input: whose,
  locate,
  returns: theClient,
});

const file = (t: Inputs) => ({
  ...whose(t),
  format: t.field({ type: FileFormat, required: true, description: 'Format of the file.' }),
  file: t.field({ type: BinaryFileInput, required: true, description: 'The certificate, key, or key store.' }),
  alias: t.string({ description: 'Alias of the entry in the key store.' }),
  storePassword: t.string({ description: 'Password of the key store.' }),
  keyPassword: t.string({ description: 'Password of the private key in the key store.' }),
});

interface FileInput {
  format: string;
  file: Parameters<typeof base64Of>[0];
  alias?: string | null;
  storePassword?: string | null;
  keyPassword?: string | null;
}

const uploadOf = async (input: FileInput, ctx: Context) => {
  return {
    keystoreFormat: input.format,
    content: await base64Of(input.file, ctx),
    keyAlias: input.alias,
    storePassword: input.storePassword,
    keyPassword: input.keyPassword,
  };
};

const fieldNames: Record<string, string> = {
  content: 'file',
  keystoreFormat: 'format',
  keyAlias: 'alias',
  realmCertificate: 'includesRealmCertificate',
};
const fieldOf = (field: string): string => ownMember(fieldNames, field) ?? field;

mutation('clientCertificateUpload', {
  description: 'Uploads a certificate or public key, and the private key if the file has one.',
  operation: certificates.upload,
  input: file,
  locate,
  send: uploadOf,
  fieldOf,
  returns: theClient,
});

mutation('clientCertificateUploadPublic', {
  description:
    'Uploads a certificate or public key and ignores a private key in the file. A stored private key is removed.',
  operation: certificates.uploadCertificate,
  input: file,
  locate,
  send: uploadOf,
  fieldOf,
  returns: theClient,
});

const keyStore = (t: Inputs) => ({
  ...whose(t),
  format: t.field({ type: KeystoreFormat, required: true, description: 'Format of the key store.' }),
  alias: t.string({ description: "Alias of the client's entry in the key store. Default: the clientId." }),
  storePassword: t.string({ required: true, description: 'Password that protects the key store.' }),
  keyPassword: t.string({ description: 'Password that protects the private key in the key store.' }),
  includesRealmCertificate: t.boolean({
    description: 'Whether the key store contains the certificate of the realm. Default true.',
  }),
  realmAlias: t.string({
    description: 'Alias of the realm certificate in the key store. Default: the name of the realm.',
  }),
});

const configOf = (input: {
  format: string;
  alias?: string | null;
  storePassword: string;
  keyPassword?: string | null;
  includesRealmCertificate?: boolean | null;
  realmAlias?: string | null;
}) => ({
  format: input.format,
  keyAlias: input.alias,
  storePassword: input.storePassword,
  keyPassword: input.keyPassword,
  realmCertificate: input.includesRealmCertificate,
  realmAlias: input.realmAlias,
});

const theKeyStore = {
  keyStore: {
    type: 'String',
    description: 'The key store, base64-encoded.',
    of: (made: certificates.MadeKeyStore) => made.keyStore,
  },
};

mutation('clientCertificateDownload', {
  description:
    'Returns a key store with the certificate and private key of a client. Written to the audit log, because a private key leaves the server.',
  operation: certificates.download,
  input: keyStore,
  locate,
  send: configOf,
  fieldOf,
  returns: theClient,
  values: theKeyStore,
});

mutation('clientCertificateGenerateAndDownload', {
  description:
    'Generates a key pair for a client and returns it in a key store. The server keeps only the certificate.',
  operation: certificates.generateAndDownload,
  input: keyStore,
  locate,
  send: configOf,
  fieldOf,
  returns: theClient,
  values: theKeyStore,
});
