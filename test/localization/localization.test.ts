import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
const realm = 'texts';

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      internationalizationEnabled: true,
      supportedLocales: ['en', 'de'],
      defaultLocale: 'en',
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
    },
    {},
    slowClock,
  ));
});

const put = (path: string, text: string) =>
  fetch(`${server.url}/auth/${realm}/localization/${path}`, {
    method: 'PUT',
    body: text,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/plain' },
  });

const upload = (locale: string, part: string, content: string) => {
  const form = new FormData();
  form.set(part, new Blob([content], { type: 'application/json' }), 'texts.json');
  return fetch(`${server.url}/auth/${realm}/localization/${locale}`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${admin.token}` },
  });
};

const textsIn = async (locale: string) => (await admin.send('GET', `/${realm}/localization/${locale}`)).body;

describe('texts of a realm', () => {
  it('are shown on its pages in place of the built-in ones, as soon as they are set', async () => {
    const page = async () =>
      (
        await fetch(
          `${server.url}/auth/realms/${realm}/protocol/openid-connect/auth?client_id=account&response_type=code&redirect_uri=x&ui_locales=de`,
        )
      ).text();
    await put('de/errorTitle', 'Hoppla & Co.');
    expect(await page()).toContain('Hoppla &amp; Co.');
    await admin.send('DELETE', `/${realm}/localization/de/errorTitle`);
    expect(await page()).not.toContain('Hoppla');
  });

  it('replace built-in ones, which the API lists by locale', async () => {
    const { data } = await admin.graphql<{ realm: Record<string, { key: string; value: string }[]> }>(
      `{ realm(name: "${realm}") { de: standardTexts(locale: "de-AT") { key value } nl: standardTexts(locale: "nl") { key value } } }`,
    );
    const textOf = (locale: string, key: string) => data.realm[locale]?.find((text) => text.key === key)?.value;
    expect([textOf('de', 'username'), textOf('de', 'passwordResetSubject')]).toEqual([
      'Benutzername',
      'Passwort zurücksetzen',
    ]);
    expect([textOf('nl', 'username'), textOf('nl', 'passwordResetSubject')]).toEqual(['Username', 'Reset password']);
  });

  it.each(['input', 'file'])('come from a file in the part %s, and leave the others as they are', async (part) => {
    expect((await upload('nl', part, `{"${part}":"een"}`)).status).toBe(204);
    expect(await textsIn('nl')).toMatchObject({ [part]: 'een' });
  });

  it.each([
    ['text/plain', 200],
    ['text/*', 200],
    ['application/json', 200],
    ['*/*', 200],
    ['image/png', 406],
  ])('are one text each, for a sender that accepts %s: %i', async (accept, status) => {
    await put('en/one', 'One');
    const answer = await admin.send('GET', `/${realm}/localization/en/one`, undefined, { accept });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toBe('One');
  });

  it('are audited with what was written', async () => {
    await put('fr/hello', 'Bonjour');
    const { body } = await admin.send('GET', `/${realm}/admin-events?resourcePath=localization/fr/hello`);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({ operationType: 'UPDATE', representation: '{"hello":"Bonjour"}' });
  });

  it.each([
    ['a key of 256 characters', () => put(`en/${'k'.repeat(256)}`, 'x'), 400],
    ['a NUL in a text', () => put('en/nul', 'a\0b'), 400],
    ['a NUL in a key', () => put('en/a%00b', 'x'), 400],
    ['a file that is a list', () => upload('en', 'file', '["a"]'), 400],
    ['a file that is not UTF-8 JSON', () => upload('en', 'file', '\uFFFD'), 400],
  ])('refuse %s, and change nothing', async (_what, send, status) => {
    const before = await textsIn('en');
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(await textsIn('en')).toEqual(before);
  });

  it('are set and deleted in GraphQL, and listed a page at a time', async () => {
    const { data: found } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    const texts = Array.from({ length: 30 }, (_, n) => ({ key: `key-${String(n).padStart(2, '0')}`, value: `v${n}` }));
    const set = await admin.graphql<{ localizationTextsSet: { userErrors: []; realm: object } }>(
      `mutation ($input: LocalizationTextsSetInput!) { localizationTextsSet(input: $input) {
        userErrors { code path } realm { localizedLocales localizationTexts(filter: { locale: { equals: "it" } }, first: 20) {
          totalCount pageInfo { hasNextPage endCursor } edges { node { key value } } } } } }`,
      { input: { realm: found.realm.id, locale: 'it', texts: { list: texts } } },
    );
    expect(set.errors).toBeUndefined();
    expect(set.data.localizationTextsSet).toMatchObject({
      userErrors: [],
      realm: { localizationTexts: { totalCount: 30, pageInfo: { hasNextPage: true } } },
    });
    const gone = await admin.graphql<{ localizationTextsDelete: { realm: { localizedLocales: string[] } } }>(
      `mutation ($input: LocalizationTextsDeleteInput!) { localizationTextsDelete(input: $input) {
        userErrors { code } realm { localizedLocales } } }`,
      { input: { realm: found.realm.id, locale: 'it' } },
    );
    expect(gone.data.localizationTextsDelete.realm.localizedLocales).not.toContain('it');
  });

  it('are written in a bounded number of statements, however many', async () => {
    const statements = async (count: number) => {
      const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
      const texts = Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value: 'x' }));
      const { extensions } = await admin.graphql(
        `mutation ($input: LocalizationTextsSetInput!) { localizationTextsSet(input: $input) { userErrors { code } } }`,
        { input: { realm: data.realm.id, locale: 'pt', texts: { list: texts } } },
      );
      return extensions?.cost?.statements;
    };
    expect(await statements(200)).toBe(await statements(2));
  });
});
