import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../support/fixture.js';
import {
  directory,
  ids,
  keyProvider,
  mail,
  provider,
  realm,
  startWorld,
  storage,
  type World,
} from './single-rules-world.js';

let admin: Caller;
let plan: World['plan'];
let apply: World['apply'];

beforeAll(async () => {
  ({ admin, plan, apply } = await startWorld());
});

describe('a file that sends a stored secret elsewhere', () => {
  const evil = 'evil.example';
  const moved = {
    'of the mail server': (secret?: string) => ({
      smtpServer: { ...mail, host: evil, ...(secret && { password: secret }) },
    }),
    'of an identity provider': (secret?: string) => ({
      identityProviders: [
        {
          alias: 'corporate',
          providerId: 'oidc',
          config: { ...provider, tokenUrl: `https://${evil}/`, ...(secret && { clientSecret: secret }) },
        },
      ],
    }),
    'of a directory': (secret?: string) => ({
      components: {
        [storage]: [
          {
            name: 'people',
            providerId: 'ldap',
            config: { ...directory, connectionUrl: [`ldap://${evil}`], ...(secret && { bindCredential: [secret] }) },
          },
        ],
      },
    }),
  };

  it.each(Object.entries(moved))('%s is refused unless it has the secret', async (_whose, file) => {
    for (const desired of [file(), file('**********')]) {
      const answers = [await plan(desired), await apply(desired)];
      expect(answers.map(({ status, body }) => [status, body.errorMessage])).toEqual(
        answers.map(() => [
          400,
          expect.stringMatching(/must be sent again, because (host|tokenUrl|connectionUrl) has changed/),
        ]),
      );
    }
    expect((await plan(file('known'))).status).toBe(200);
  });

  it.each([
    [
      'of another parent',
      {
        [keyProvider]: (own: object) => [
          { name: 'new', providerId: 'hmac-generated', subComponents: { [storage]: [own] } },
        ],
      },
    ],
    ['of another type', { [keyProvider]: (own: object) => [{ ...own, providerId: 'hmac-generated', config: {} }] }],
  ] as [string, Record<string, (own: object) => object[]>][])(
    'by its ID in a component %s is refused',
    async (_what, lists) => {
      const own = {
        id: ids.storage,
        name: 'people',
        providerId: 'ldap',
        config: { ...directory, connectionUrl: [`ldap://${evil}`] },
      };
      const moved = Object.fromEntries(Object.entries(lists).map(([type, list]) => [type, list(own)]));
      const desired = { components: { [storage]: [], ...moved } };
      const body = { desired, modes: { components: 'FULL' }, allowDeletes: 99 };
      for (const action of ['plan', 'apply']) {
        const answer = await admin.send('POST', `/admin/realms/${realm}/${action}`, body);
        expect([answer.status, answer.body.errorMessage]).toEqual([
          400,
          expect.stringMatching(/^(A component|`provider)/),
        ]);
      }
    },
  );
});

describe('a mask that stands for no secret of the realm', () => {
  const mask = '**********';
  const place = (...path: (string | number)[]) => path.map(String);
  const faultsOf = async (desired: object) => {
    const answers = [await plan(desired), await apply(desired)];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    const [planned, applied] = answers.map(({ body }) => body.faults.map(({ path }: { path: string[] }) => path));
    expect(applied).toEqual(planned);
    return planned;
  };

  it('is refused in new objects, and all of them are named', async () => {
    const desired = {
      clients: [
        { clientId: 'new', secret: mask },
        { clientId: 'signing', secret: 'known', attributes: { 'saml.signing.private.key': mask } },
      ],
      identityProviders: [{ alias: 'new', providerId: 'oidc', config: { ...provider, clientSecret: mask } }],
      components: {
        [storage]: [{ name: 'new', providerId: 'ldap', config: { ...directory, bindCredential: [mask] } }],
      },
    };
    expect(await faultsOf(desired)).toEqual([
      place('clients', 0, 'secret'),
      place('clients', 1, 'attributes', 'saml.signing.private.key'),
      place('identityProviders', 0, 'config', 'clientSecret'),
      place('components', storage, 0, 'config', 'bindCredential'),
    ]);
  });

  it('is refused in an object that has lost its secret', async () => {
    const without = { alias: 'open', providerId: 'oidc', config: provider };
    expect((await apply({ identityProviders: [without] })).status).toBe(200);
    const masked = { ...without, config: { ...provider, clientSecret: mask } };
    expect(await faultsOf({ identityProviders: [masked] })).toEqual([
      place('identityProviders', 0, 'config', 'clientSecret'),
    ]);
  });

  it('is let pass where there is no secret to lose', async () => {
    const desired = {
      clients: [
        { clientId: 'public', publicClient: true, secret: mask },
        { clientId: 'signs', clientAuthenticatorType: 'client-jwt', secret: mask },
        { clientId: 'generated' },
      ],
      components: {
        [keyProvider]: [
          { name: 'new', providerId: 'rsa-generated', config: { privateKey: [mask], keySize: ['2048'] } },
        ],
      },
    };
    expect((await plan(desired)).body).toMatchObject({ summary: { create: 4, update: 0 }, warnings: [] });
  });
});
