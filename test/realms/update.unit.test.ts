import { expect, it } from 'vitest';
import type { RealmRecord } from '../../src/services/core/realm.js';
import { decode } from '../../src/services/core/shape.js';
import { RealmRepresentation } from '../../src/services/realms/representation.js';
import { applyRealmUpdate } from '../../src/services/realms/update.js';
import { build } from './rows.js';

const rows = await build({
  realm: 'r',
  displayName: 'R',
  attributes: { colour: 'blue' },
  smtpServer: { host: 'mail.example', password: 'p' },
  webAuthnPolicyRpEntityName: 'own',
});
const row = rows.Realm[0] as unknown as RealmRecord;

const update = (input: unknown, asReference = false) =>
  applyRealmUpdate(row, decode(RealmRepresentation, input), {
    seal: (text) => `sealed:${text}`,
    flowAliases: new Set(['browser']),
    asReference,
  });

it('changes nothing for an input that says nothing or the same', () => {
  expect(update({})).toEqual({});
  expect(update({ displayName: null, id: 'other', users: [{ username: 'ghost' }], realm: 'r' })).toEqual({});
});

it('replaces attributes without touching settings, unless it does as the reference server', () => {
  expect(update({ attributes: { size: 'L' } })).toEqual({
    attributes: { ...row.attributes, colour: undefined, size: 'L' },
  });
  const lost = update({ attributes: { size: 'L' } }, true);
  expect(lost).toMatchObject({
    displayName: null,
    settings: { failureFactor: 0, browserSecurityHeaders: {}, webAuthnPolicyRpEntityName: 'keycloak' },
  });
});

it('merges a part of the one-time code policy, unless it does as the reference server', () => {
  expect(update({ otpPolicyType: 'hotp' }).settings).toMatchObject({ otpPolicyType: 'hotp', otpPolicyPeriod: 30 });
  expect(update({ otpPolicyType: 'hotp' }, true).settings).toMatchObject({ otpPolicyType: 'hotp', otpPolicyPeriod: 0 });
});

it('keeps the mail password for its mask and drops it when it is left out', () => {
  const { host } = (row.settings as { smtpServer: { host: string } }).smtpServer;
  expect(update({ smtpServer: { host, from: 'a@b.example', password: '**********' } })).toEqual({
    settings: expect.objectContaining({ smtpServer: { host, from: 'a@b.example' } }),
  });
  expect(() => update({ smtpServer: { host: 'new', password: '**********' } })).toThrow(
    expect.objectContaining({ kind: 'invalid', details: { field: 'smtpServer.password', code: 'SECRET_REQUIRED' } }),
  );
  expect(update({ smtpServer: { host: 'new', password: 'q' } })).toMatchObject({
    smtpPassword: 'sealed:q',
    settings: { smtpServer: { host: 'new' } },
  });
  expect(update({ smtpServer: {} })).toMatchObject({ smtpPassword: null, settings: { smtpServer: {} } });
});

it('refuses unknown flows and password policies', () => {
  expect(() => update({ browserFlow: 'no such flow' })).toThrow(
    expect.objectContaining({ kind: 'invalid', details: { field: 'browserFlow' } }),
  );
  expect(() => update({ passwordPolicy: 'length(many)' })).toThrow(expect.objectContaining({ kind: 'invalid' }));
});
