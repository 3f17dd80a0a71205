import { type Answer, json } from '../http/answer.js';
import * as certificates from '../services/client-certificates/operations.js';
import { CertificateRepresentation } from '../services/client-certificates/representation.js';
import { clientById } from '../services/clients/locate.js';
import { File } from './answer-shapes.js';
import { below, child } from './place.js';
import { realm } from './realm.js';
import type { RestRequest } from './request.js';
import { get, post } from './table.js';

const keys = child(realm, '/clients/{id}/certificates/{attr}', async (ctx, parent, { id = '', attr = '' }) => ({
  ...(await clientById(ctx, parent, id)),
  attribute: attr,
}));

const info = {
  returns: CertificateRepresentation,
  answer: (changed: certificates.ChangedCertificate) => json(changed.info),
};

const fromForm = {
  ...info,
  takes: 'upload' as const,
  input: async (request: RestRequest) => {
    const { bytes, fields } = await request.upload();
    const { keystoreFormat, keyAlias, keyPassword, storePassword } = fields;
    return { keystoreFormat, keyAlias, keyPassword, storePassword, content: bytes.toString('base64') };
  },
};

const file = {
  file: true,
  media: 'application/octet-stream',
  returns: File,
  answer: ({ keyStore }: certificates.MadeKeyStore): Answer => ({
    status: 200,
    type: 'application/octet-stream',
    body: Buffer.from(keyStore, 'base64'),
  }),
};

/** The keys with which clients sign and decrypt. */
export const clientCertificateRoutes = [
  get(keys, certificates.certificate, { returns: CertificateRepresentation }),
  post(below(keys, '/generate'), certificates.generate, info),
  post(below(keys, '/upload'), certificates.upload, fromForm),
  post(below(keys, '/upload-certificate'), certificates.uploadCertificate, fromForm),
  post(below(keys, '/download'), certificates.download, file),
  post(below(keys, '/generate-and-download'), certificates.generateAndDownload, file),
].flat();
