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
