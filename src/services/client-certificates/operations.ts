import type { Db } from '../../database/db.js';
import { touched } from '../clients/operations.js';
import { openedAttributes, sealedAttributes } from '../clients/secrets.js';
import { accountOf, altersClient } from '../clients/service-account.js';
import type { Context } from '../core/context.js';
import { type AuditRecord, read, write } from '../core/operation.js';
import { notFound } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import { isBelow } from '../permissions/access.js';
import { checkConfig, keyStoreOf } from './download.js';
import { newKeyPair } from './material.js';
import {
  type CertificateInfo,
  type CertificateTarget,
  CertificateUpload,
  certificateOf,
  KeyStoreConfig,
  withCertificate,
} from './representation.js';
import { uploaded } from './upload.js';

/** The keys of a client after a write. */
export interface ChangedCertificate {
  id: string;
  info: CertificateInfo;
}

/** A key store that was made, and the keys of the client after that. */
export interface MadeKeyStore extends ChangedCertificate {
  /** base64, so that the answer to an earlier request can be repeated */
  keyStore: string;
}

async function storedInfo(ctx: Context, { client, attribute }: CertificateTarget): Promise<CertificateInfo> {
  const row = await ctx.db.client.findUnique({ where: { id: client.id }, select: { attributes: true } });
  if (!row) throw notFound('Could not find client');
  return certificateOf(openedAttributes({ ...client, ...row }, ctx.services.sealer), attribute);
}

const withoutKey = ({ privateKey: _, ...rest }: CertificateInfo): CertificateInfo => rest;

/** Replaces the keys of the client. */
async function store(
  tx: Db,
  ctx: Context,
  { client, attribute }: CertificateTarget,
  info: CertificateInfo,
): Promise<ChangedCertificate> {
  const { sealer } = ctx.services;
  const row = await tx.client.findUniqueOrThrow({ where: { id: client.id }, select: { attributes: true } });
  const before = openedAttributes({ ...client, ...row }, sealer);
  const attributes = sealedAttributes(client, withCertificate(before, attribute, info), sealer);
  await tx.later.client.updateMany({ where: { id: client.id }, data: { attributes, version: { increment: 1 } } });
  return { id: client.id, info };
}

const lock = ({ client }: CertificateTarget) => ({ model: 'Client' as const, id: client.id });

const audited =
  (action: string) =>
  ({ info }: ChangedCertificate, { client, attribute }: CertificateTarget): AuditRecord => ({
    operationType: 'ACTION',
    resourceType: 'CLIENT',
    resourcePath: `clients/${client.id}/certificates/${attribute}/${action}`,
    representation: withoutKey(info),
  });

const changed = ({ id }: ChangedCertificate, { realm }: CertificateTarget) => touched({ id, realmId: realm.id });

export const certificate = read({
  name: 'clientCertificate.get',
  summary:
    'Returns the certificate or public key of a client for one purpose. The private key is included only for callers who may change clients.',
  allow: 'view:clients',
  run: async (ctx, target: CertificateTarget, _input, permit): Promise<CertificateInfo> => {
    const info = await storedInfo(ctx, target);
    const changes = permit.may('configure:clients', 'client', target.client.id);
    return changes && (await isBelow(ctx, target, permit, accountOf(target))) ? info : withoutKey(info);
  },
});

export const generate = write({
  name: 'clientCertificate.generate',
  summary: 'Generates a key pair with a certificate for a client and replaces the previous one.',
  allow: 'configure:clients',
  actsOn: accountOf,
  alters: altersClient,
  prepare: (_ctx, { realm, client }: CertificateTarget) => newKeyPair(client.clientId, realm.id),
  lock,
  run: (tx, target, _input, { ctx, prepared }) => store(tx, ctx, target, prepared),
  event: audited('generate'),
  touches: changed,
});

export const upload = write({
  name: 'clientCertificate.upload',
  summary: 'Uploads a certificate or public key, and the private key if the file has one.',
  input: CertificateUpload,
  allow: 'configure:clients',
  actsOn: accountOf,
  alters: altersClient,
  prepare: (_ctx, _target: CertificateTarget, input) => uploaded(input),
  lock,
  run: (tx, target, _input, { ctx, prepared }) => store(tx, ctx, target, prepared),
  event: audited('upload'),
  touches: changed,
});

export const uploadCertificate = write({
  name: 'clientCertificate.uploadCertificate',
  summary:
    'Uploads a certificate or public key and ignores a private key in the file. A stored private key is removed.',
  input: CertificateUpload,
  allow: 'configure:clients',
  actsOn: accountOf,
  alters: altersClient,
  prepare: async (_ctx, _target: CertificateTarget, input) => withoutKey(await uploaded(input)),
  lock,
  run: (tx, target, _input, { ctx, prepared }) => store(tx, ctx, target, prepared),
  event: audited('upload-certificate'),
  touches: changed,
});

export const download = write({
  name: 'clientCertificate.download',
  summary:
    'Returns a key store with the certificate and private key of a client. Written to the audit log, because a private key leaves the server.',
  input: KeyStoreConfig,
  allow: 'configure:clients',
  actsOn: accountOf,
  alters: altersClient,
  prepare: async (ctx, target: CertificateTarget, config: Input<typeof KeyStoreConfig>) => {
    const plan = await checkConfig(config, 'download', () => storedInfo(ctx, target));
    return keyStoreOf(ctx, target, plan);
  },
  run: async (_tx, { client }, _input, { prepared }): Promise<MadeKeyStore> => ({ id: client.id, ...prepared }),
  event: audited('download'),
  touches: () => [],
});

export const generateAndDownload = write({
  name: 'clientCertificate.generateAndDownload',
  summary: 'Generates a key pair for a client and returns it in a key store. The server keeps only the certificate.',
  input: KeyStoreConfig,
  allow: 'configure:clients',
  actsOn: accountOf,
  alters: altersClient,
  prepare: async (ctx, target: CertificateTarget, config: Input<typeof KeyStoreConfig>) => {
    const plan = await checkConfig(config, 'generation and download', () =>
      newKeyPair(target.client.clientId, target.realm.id),
    );
    return keyStoreOf(ctx, target, plan);
  },
  lock,
  run: async (tx, target, _input, { ctx, prepared: { keyStore, info } }): Promise<MadeKeyStore> => ({
    ...(await store(tx, ctx, target, withoutKey(info))),
    keyStore,
  }),
  event: audited('generate-and-download'),
  touches: changed,
});
