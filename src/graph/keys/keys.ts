import { permitFor } from '../../services/core/permit.js';
import type { RealmKey } from '../../services/core/ports.js';
import { publicKeyText } from '../../services/keys/metadata.js';
import { currentKeys } from '../../services/keys/operations.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from '../core/builder.js';
import { Realm } from '../realms/realms.js';

const KeyUse = builder.enumType('KeyUse', {
  description: 'What a key is for.',
  values: { SIG: { description: 'Signing.' }, ENC: { description: 'Encrypting.' } },
});

const KeyStatus = builder.enumType('KeyStatus', {
  description: 'Whether a key is in use.',
  values: {
    ACTIVE: { description: 'New tokens are signed or encrypted with it, unless another one comes first.' },
    PASSIVE: { description: 'It only verifies and decrypts what was made earlier.' },
    DISABLED: { description: 'It is not used at all.' },
  },
});

const KeyType = builder.enumType('KeyType', {
  description: 'What a key is made of.',
  values: {
    RSA: { description: 'A pair of RSA keys.' },
    EC: { description: 'A pair of keys on an elliptic curve.' },
    OCT: { description: 'A secret.' },
  },
});

const Key = builder.objectRef<RealmKey>('Key').implement({
  description: 'A key of a realm, without anything secret.',
  fields: (t) => ({
    kid: t.exposeString('kid', { description: 'What tokens name it by.' }),
    algorithm: t.exposeString('algorithm', { description: 'Its algorithm, e.g. RS256.' }),
    use: t.field({ type: KeyUse, description: 'What it is for.', resolve: ({ use }) => use }),
    status: t.field({ type: KeyStatus, description: 'Whether it is in use.', resolve: ({ status }) => status }),
    type: t.field({ type: KeyType, description: 'What it is made of.', resolve: ({ type }) => type }),
    publicKey: t.string({
      nullable: true,
      description: 'The public half: SubjectPublicKeyInfo in DER, as base64.',
      resolve: (key) => publicKeyText(key) || null,
    }),
    certificate: t.string({
      nullable: true,
      description: 'Its certificate in DER, as base64.',
      resolve: ({ certificate }) => certificate ?? null,
    }),
    priority: t.exposeInt('providerPriority', {
      description: 'Of keys for the same algorithm the highest one is used.',
    }),
  }),
});

builder.prismaObjectField(Realm, 'keys', (t) =>
  t.field({
    type: [Key],
    nullable: true,
    description: 'The keys of the realm, highest priority first. Takes view-realm.',
    resolve: async ({ id }, _args, ctx) => {
      const realm = await realmById(ctx, id);
      (await permitFor(ctx, realm)).require('view:realm');
      return [...(await currentKeys(ctx, realm))];
    },
  }),
);
