import type { RealmKey } from '../../services/core/ports.js';
import { certificateEnd } from '../../services/keys/certificate.js';
import { publicKeyText } from '../../services/keys/metadata.js';
import { currentKeys, keys } from '../../services/keys/operations.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from '../core/builder.js';
import { Realm } from '../realms/realms.js';

const KeyUse = builder.enumType('KeyUse', {
  description: 'Purpose of a key.',
  values: { SIG: { description: 'Signs and verifies tokens.' }, ENC: { description: 'Encrypts and decrypts data.' } },
});

const KeyStatus = builder.enumType('KeyStatus', {
  description: 'Status of a key.',
  values: {
    ACTIVE: { description: 'Used for new signatures or encryption, if it has the highest priority for its algorithm.' },
    PASSIVE: { description: 'Used only to verify signatures or decrypt data made earlier.' },
    DISABLED: { description: 'Not used at all.' },
  },
});

const KeyType = builder.enumType('KeyType', {
  description: 'Type of a key.',
  values: {
    RSA: { description: 'RSA key pair.' },
    EC: { description: 'Elliptic curve key pair.' },
    OCT: { description: 'Symmetric secret key.' },
  },
});

const Key = builder.objectRef<RealmKey>('Key').implement({
  description: 'A key of a realm, without its private or secret part.',
  fields: (t) => ({
    kid: t.exposeString('kid', { description: 'Key ID, as in the `kid` header of tokens.' }),
    algorithm: t.exposeString('algorithm', { description: 'Algorithm of the key, e.g. `RS256`.' }),
    use: t.field({
      type: KeyUse,
      description: 'Purpose of the key: signing or encryption.',
      resolve: ({ use }) => use,
    }),
    status: t.field({
      type: KeyStatus,
      description: 'Whether the key is used for new tokens, only for existing ones, or not at all.',
      resolve: ({ status }) => status,
    }),
    type: t.field({ type: KeyType, description: 'Type of the key, e.g. `RSA`.', resolve: ({ type }) => type }),
    publicKey: t.string({
      nullable: true,
      description: 'Public key (SubjectPublicKeyInfo in DER), base64-encoded. Null for a symmetric key.',
      resolve: (key) => publicKeyText(key) || null,
    }),
    certificate: t.string({
      nullable: true,
      description: 'X.509 certificate in DER, base64-encoded. Null if the key has none.',
      resolve: ({ certificate }) => certificate ?? null,
    }),
    certificateExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'End of the validity of the certificate. Null if the key has none.',
      resolve: ({ certificate }) => certificateEnd(certificate),
    }),
    componentUuid: t.exposeString('providerId', {
      description: 'UUID of the component that provides the key, as `Component.uuid`.',
    }),
    priority: t.exposeInt('providerPriority', {
      description:
        'Priority of the key. Of all active keys for an algorithm, the one with the highest priority is used.',
    }),
  }),
});

builder.prismaObjectField(Realm, 'keys', (t) =>
  t.field({
    type: [Key],
    nullable: true,
    description: 'Keys of the realm, highest priority first.',
    requires: keys,
    resolve: async ({ id }, _args, ctx) => {
      return [...(await currentKeys(ctx, await realmById(ctx, id)))];
    },
  }),
);
