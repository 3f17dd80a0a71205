import * as certificates from '../../services/client-certificates/operations.js';
import {
  type CertificateTarget,
  certificateOf,
  purposesOf,
} from '../../services/client-certificates/representation.js';
import { clientById } from '../../services/clients/locate.js';
import { isSecretAttribute } from '../../services/clients/secrets.js';
import type { Context } from '../../services/core/context.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { locatedNode } from '../core/node.js';
import { eitherOf } from '../core/upload.js';
import type { UploadedFile } from '../core/uploaded-file.js';

interface CertificateValue {
  purpose: string;
  certificate?: string | undefined;
  publicKey?: string | undefined;
  kid?: string | undefined;
  hasPrivateKey: boolean;
}

const ClientCertificate = builder.objectRef<CertificateValue>('ClientCertificate').implement({
  description:
    'The keys of a client for a purpose, without the private key. That leaves the server in a key store only.',
  fields: (t) => ({
    purpose: t.exposeString('purpose', { description: 'What they are for, e.g. jwt.credential or saml.signing.' }),
    certificate: t.exposeString('certificate', {
      nullable: true,
      description: 'The certificate: base64 of its DER form.',
    }),
    publicKey: t.exposeString('publicKey', { nullable: true, description: 'The public key, where it came alone.' }),
    keyId: t.string({
      nullable: true,
      description: 'Id of the key in the key set that it came from.',
      resolve: ({ kid }) => kid ?? null,
    }),
    hasPrivateKey: t.exposeBoolean('hasPrivateKey', { description: 'Whether the server has the private key.' }),
  }),
});

builder.prismaObjectFields(Client, (t) => ({
  certificate: t.field({
    type: ClientCertificate,
    description: 'Its keys for a purpose.',
    args: { purpose: t.arg.string({ required: true, description: 'E.g. jwt.credential or saml.signing.' }) },
    select: { attributes: true },
    resolve: ({ attributes }, { purpose }) => withoutKey(attributes, purpose),
  }),
  certificates: t.field({
    type: [ClientCertificate],
    description: 'Its keys for all purposes that it has some for.',
    select: { attributes: true },
    resolve: ({ attributes }) => purposesOf(attributes).map((purpose) => withoutKey(attributes, purpose)),
  }),
}));

function withoutKey(attributes: unknown, purpose: string): CertificateValue {
  const { privateKey, ...info } = certificateOf(masked(attributes), purpose);
  return { ...info, purpose, hasPrivateKey: privateKey !== undefined };
}

/** The attributes with nothing secret in them. */
const masked = (attributes: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes as Record<string, string>).map(([name, value]) => [
      name,
      isSecretAttribute(name) ? '' : value,
    ]),
  );

const KeystoreFormat = builder.enumType('KeyStoreFormat', {
  description: 'A format of key stores.',
  values: { JKS: { description: 'That of Java.' }, PKCS12: { description: 'PKCS #12, RFC 7292.' } },
});

const fileFormats = {
  CERTIFICATE_PEM: { value: 'Certificate PEM', description: 'A certificate, as PEM or its base64 alone.' },
  PUBLIC_KEY_PEM: { value: 'Public Key PEM', description: 'A public key as PEM.' },
  JWKS: { value: 'JSON Web Key Set', description: 'A JSON Web Key Set, RFC 7517.' },
  JKS: { value: 'JKS', description: 'A key store of Java.' },
  PKCS12: { value: 'PKCS12', description: 'A key store by PKCS #12, RFC 7292.' },
} as const;

const FileFormat = builder.enumType('ClientCertificateFileFormat', {
  description: 'A format in which keys are uploaded.',
  values: fileFormats,
});

type Inputs = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const whose = (t: Inputs) => ({
  client: t.id({ required: true, description: 'Id of the client.' }),
  purpose: t.string({ required: true, description: 'What the keys are for, e.g. jwt.credential or saml.signing.' }),
});

const locate = async (input: { client: string; purpose: string }, ctx: Context): Promise<CertificateTarget> => {
  const { realm, id } = await locatedNode(ctx, input.client, 'client', 'Client');
  return { ...(await clientById(ctx, realm, id)), attribute: input.purpose };
};

const theClient = {
  client: {
    type: Client,
    model: 'client',
    description: 'The client as it is now.',
    id: ({ id }: certificates.ChangedCertificate) => id,
  },
};

mutation('clientCertificateGenerate', {
  description: 'Makes a key pair with a certificate for a client; the old one is gone.',
  operation: certificates.generate,
  input: whose,
  locate,
  returns: theClient,
});

const file = (t: Inputs) => ({
  ...whose(t),
  format: t.field({ type: FileFormat, required: true, description: 'The format of the file.' }),
  file: t.string({ description: 'The file in base64.' }),
  upload: t.field({ type: 'Upload', description: 'Or the file itself.' }),
  alias: t.string({ description: 'Which entry of a key store.' }),
  storePassword: t.string({ description: 'What opens the key store.' }),
  keyPassword: t.string({ description: 'What opens the key in it.' }),
});

interface FileInput {
  format: string;
  file?: string | null;
  upload?: UploadedFile | null;
  alias?: string | null;
  storePassword?: string | null;
  keyPassword?: string | null;
}

const uploadOf = async (input: FileInput, ctx: Context) => {
  const { text, upload } = eitherOf('file', input.file, input.upload);
  return {
    keystoreFormat: input.format,
    content: text ?? (await upload.bytes(ctx.services.config.bodyLimit)).toString('base64'),
    keyAlias: input.alias,
    storePassword: input.storePassword,
    keyPassword: input.keyPassword,
  };
};

const fieldNames: Record<string, string> = { content: 'file', keystoreFormat: 'format', keyAlias: 'alias' };
const fieldOf = (field: string): string => fieldNames[field] ?? field;

mutation('clientCertificateUpload', {
  description: 'Takes the certificate or public key of a file, and the private key where there is one.',
  operation: certificates.upload,
  input: file,
  locate,
  send: uploadOf,
  fieldOf,
  returns: theClient,
});

mutation('clientCertificateUploadPublic', {
  description: 'Takes the certificate or public key of a file and nothing else; a private key of before is gone.',
  operation: certificates.uploadCertificate,
  input: file,
  locate,
  send: uploadOf,
  fieldOf,
  returns: theClient,
});

const keyStore = (t: Inputs) => ({
  ...whose(t),
  format: t.field({ type: KeystoreFormat, required: true, description: 'The format of the key store.' }),
  alias: t.string({ description: 'What its entry is called; by the clientId unless told.' }),
  storePassword: t.string({ required: true, description: 'What is to open the key store.' }),
  keyPassword: t.string({ description: 'What is to open the key in it.' }),
  withRealmCertificate: t.boolean({ description: 'Whether the certificate of the realm is in it; it is unless told.' }),
  realmAlias: t.string({ description: 'What that is called; by the name of the realm unless told.' }),
});

const configOf = (input: {
  format: string;
  alias?: string | null;
  storePassword: string;
  keyPassword?: string | null;
  withRealmCertificate?: boolean | null;
  realmAlias?: string | null;
}) => ({
  format: input.format,
  keyAlias: input.alias,
  storePassword: input.storePassword,
  keyPassword: input.keyPassword,
  realmCertificate: input.withRealmCertificate,
  realmAlias: input.realmAlias,
});

const theKeyStore = {
  keyStore: {
    type: 'String',
    description: 'The key store in base64.',
    of: (made: certificates.MadeKeyStore) => made.keyStore,
  },
};

mutation('clientCertificateDownload', {
  description:
    'A key store with the keys of a client. Private keys leave the server, so there is an audit record of it.',
  operation: certificates.download,
  input: keyStore,
  locate,
  send: configOf,
  fieldOf,
  returns: theClient,
  values: theKeyStore,
});

mutation('clientCertificateGenerateAndDownload', {
  description: 'Makes a key pair for a client and answers with a key store; only the certificate is kept.',
  operation: certificates.generateAndDownload,
  input: keyStore,
  locate,
  send: configOf,
  fieldOf,
  returns: theClient,
  values: theKeyStore,
});
