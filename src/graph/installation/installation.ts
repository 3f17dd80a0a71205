import { clientById } from '../../services/clients/locate.js';
import { regenerateSecret } from '../../services/clients/secret-operations.js';
import { perform } from '../../services/core/perform.js';
import { type Installation, installation } from '../../services/installation/operations.js';
import { installationProviders } from '../../services/installation/providers.js';
import { realmById } from '../../services/realms/locate.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { disclose, hidesSecrets } from '../core/disclosure.js';
import { apart } from '../core/limits.js';

const InstallationFormat = builder.enumType('ClientInstallationFormat', {
  description: 'Format of the client settings for an adapter.',
  values: Object.fromEntries(
    installationProviders.map(({ id, helpText }) => [
      id.replaceAll('-', '_').toUpperCase(),
      { value: id, description: helpText },
    ]),
  ),
});

const ClientInstallation = builder.objectRef<Installation>('ClientInstallation').implement({
  description: 'Settings of a client in the format of an adapter.',
  fields: (t) => ({
    filename: t.string({ description: 'Suggested name of the file.', resolve: ({ provider }) => provider.filename }),
    mediaType: t.string({
      description: 'Media type of the file, e.g. `application/json`.',
      resolve: ({ provider }) => provider.mediaType,
    }),
    text: t.string({
      nullable: true,
      description: 'Content of the file. Null if it is binary.',
      resolve: ({ content }) => (typeof content === 'string' ? content : null),
    }),
    base64: t.string({
      description: 'Content of the file, base64-encoded.',
      resolve: ({ content }) => Buffer.from(content).toString('base64'),
    }),
  }),
});

builder.prismaObjectField(Client, 'installation', (t) =>
  t.field({
    type: ClientInstallation,
    nullable: true,
    description:
      'Settings of the client for an adapter, including its secret. Null in a dry run. Each read is written to the audit log.',
    args: { format: t.arg({ type: InstallationFormat, required: true, description: 'Format of the settings.' }) },
    complexity: apart,
    // it contains the secret: a caller who may set a new secret may also read it
    requires: regenerateSecret,
    select: { id: true, realmId: true },
    resolve: async ({ id, realmId }, { format }, ctx) => {
      if (hidesSecrets(ctx)) return null;
      const locate = async (at: typeof ctx) => clientById(at, await realmById(at, realmId), id);
      const providerId = String(format);
      const made = await perform(ctx, installation, locate, { providerId });
      const resourcePath = `clients/${id}/installation/providers/${providerId}`;
      await disclose(ctx, { realmId, resourceType: 'CLIENT', resourcePath });
      return made;
    },
  }),
);
