import { describe, expect, it } from 'vitest';
import { hashPassword, isHashAlgorithm } from '../../src/services/credentials/hashing.js';
import { verifyOneTimePassword } from '../../src/services/credentials/one-time-password.js';
import {
  parsePasswordPolicy,
  policySettings,
  validatePasswordPolicy,
} from '../../src/services/credentials/password-policy.js';
import { checkPassword, findPolicyBreach } from '../../src/services/credentials/policy.js';

const candidate = (password: string) => ({ password, username: 'pat.user', email: 'pat@example.org' });

describe('the password policy', () => {
  // recorded from the reference server: policy, a password that breaks it, one that keeps it, key and text
  it.each([
    ['length(8)', 'short', 'longer-one', 'MinLength', 'minimum length 8'],
    ['maxLength(10)', 'much-too-long', 'good', 'MaxLength', 'maximum length 10'],
    ['digits(2)', 'one1', 'two22', 'MinDigits', 'must contain at least 2 numerical digits'],
    ['upperCase(1)', 'lower', 'Upper', 'MinUpperCaseChars', 'must contain at least 1 upper case characters'],
    ['lowerCase(2)', 'UPPERa', 'UPPERab', 'MinLowerCaseChars', 'must contain at least 2 lower case characters'],
    ['specialChars(1)', 'plain', 'pl@in', 'MinSpecialChars', 'must contain at least 1 special characters'],
    ['notUsername(undefined)', 'pat.user', 'PAT.USER', 'NotUsername', 'must not be equal to the username'],
    ['notEmail(undefined)', 'pat@example.org', 'else2', 'NotEmail', 'must not be equal to the email'],
    ['regexPattern(^[a-z]+-[0-9]+$)', 'abc', 'abc-1', 'RegexPattern', 'fails to match regex pattern(s)'],
  ])('%s', async (policy, bad, good, key, text) => {
    const error = `invalidPassword${key}Message`;
    await expect(checkPassword(policy, candidate(bad))).rejects.toMatchObject({
      kind: 'invalid',
      details: { body: { error, error_description: `Invalid password: ${text}.` } },
    });
    await checkPassword(policy, candidate(good));
  });

  it('reports the rule that the reference reports first', async () => {
    const policy = 'length(8) and digits(1) and upperCase(1)';
    for (const password of ['x', 'xxxxxxxx', 'xxxxxxx1']) {
      expect(await findPolicyBreach(policy, candidate(password))).toMatchObject({
        error: 'invalidPasswordMinUpperCaseCharsMessage',
      });
    }
    expect(await findPolicyBreach(policy, candidate('Xxxxxxx1'))).toBeUndefined();
  });

  it('compares with as many passwords as the rule says', async () => {
    const history = await Promise.all(['beta', 'alpha'].map((password) => hashPassword(password, { iterations: 2 })));
    const breachOf = (policy: string, password: string) =>
      findPolicyBreach(policy, { ...candidate(password), history });
    expect(await breachOf('passwordHistory(2)', 'alpha')).toEqual({
      error: 'invalidPasswordHistoryMessage',
      description: 'Invalid password: must not be equal to any of last 2 passwords.',
    });
    expect(await breachOf('passwordHistory(1)', 'alpha')).toBeUndefined();
    expect(await breachOf('passwordHistory(1)', 'beta')).toBeDefined();
    expect(await breachOf('passwordHistory(2)', 'gamma')).toBeUndefined();
  });

  it('stops a pattern that backtracks without end', async () => {
    const started = performance.now();
    const found = await findPolicyBreach('regexPattern(^(a+)+$)', candidate(`${'a'.repeat(60)}!`));
    expect(found?.error).toBe('invalidPasswordRegexPatternMessage');
    expect(performance.now() - started).toBeLessThan(2000);
    // the same pattern works where it ends
    expect(await findPolicyBreach('regexPattern(^(a+)+$)', candidate('aaa'))).toBeUndefined();
  });

  it('knows blacklists by name only', async () => {
    const blacklists = new Map([['worst', new Set(['123456'])]]);
    const check = (policy: string, password: string) =>
      findPolicyBreach(policy, { ...candidate(password), blacklists });
    expect((await check('passwordBlacklist(worst)', '123456'))?.error).toBe('invalidPasswordBlacklistedMessage');
    expect(await check('passwordBlacklist(worst)', 'better')).toBeUndefined();
    await expect(check('passwordBlacklist(other)', 'better')).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('counts characters of every script', async () => {
    const policy = 'upperCase(1) and lowerCase(1) and digits(1)';
    expect(await findPolicyBreach(policy, candidate('Äß٣'))).toBeUndefined();
  });
});

describe('the text of a policy', () => {
  it('is split into rules, with regular expressions left whole', () => {
    expect(parsePasswordPolicy('length(8) and notUsername and regexPattern(^(a and b)+$) and digits()')).toEqual([
      { id: 'length', value: '8' },
      { id: 'notUsername', value: undefined },
      { id: 'regexPattern', value: '^(a and b)+$' },
      { id: 'digits', value: '' },
    ]);
    expect(parsePasswordPolicy(undefined)).toEqual([]);
    expect(parsePasswordPolicy('  ')).toEqual([]);
  });

  it('says how passwords are stored', () => {
    expect(policySettings('')).toEqual({
      hashIterations: 27500,
      hashAlgorithm: 'pbkdf2-sha256',
      history: 0,
      expireDays: 0,
    });
    const text =
      'hashIterations(5) and hashAlgorithm(pbkdf2-sha512) and passwordHistory(undefined) and forceExpiredPasswordChange(3)';
    expect(policySettings(text)).toEqual({
      hashIterations: 5,
      hashAlgorithm: 'pbkdf2-sha512',
      history: 3,
      expireDays: 3,
    });
  });

  it.each([
    'noSuchPolicy(1)',
    'constructor(1)',
    'length(many)',
    'hashAlgorithm(md5)',
    'passwordBlacklist(x)',
    'regexPattern((a)',
  ])('is refused: %s', (text) => {
    expect(() => validatePasswordPolicy(text, { isHashAlgorithm })).toThrow(
      expect.objectContaining({ kind: 'invalid', details: { field: 'passwordPolicy' } }),
    );
  });

  it('is accepted with every rule that there is', () => {
    const numbers = 'length(8) and maxLength(64) and digits(1) and lowerCase(1) and upperCase(1) and specialChars(1)';
    const others = 'notUsername and notEmail(undefined) and regexPattern(.+) and hashAlgorithm(pbkdf2)';
    const stored = 'passwordHistory(3) and hashIterations(100) and forceExpiredPasswordChange(365)';
    const all = `${numbers} and ${others} and ${stored}`;
    expect(() => validatePasswordPolicy(all, { isHashAlgorithm })).not.toThrow();
  });
});

describe('one-time passwords', () => {
  const device = (data: object) => ({
    credentialData: JSON.stringify({ subType: 'totp', digits: 8, period: 30, ...data }),
    secretData: JSON.stringify({ value: '12345678901234567890' }),
  });

  // RFC 6238, appendix B
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [20000000000, '65353130'],
  ])('match the test vectors: %i', (seconds, code) => {
    expect(verifyOneTimePassword(code, device({ algorithm: 'HmacSHA1' }), seconds, 0)).toBe(true);
    expect(verifyOneTimePassword(code, device({ algorithm: 'HmacSHA256' }), seconds, 0)).toBe(false);
  });

  it('are accepted around their time only, and of a counting device from its counter on', () => {
    const check = (seconds: number, data = {}) => verifyOneTimePassword('94287082', device(data), seconds, 1);
    expect([check(59), check(89), check(119), check(1)]).toEqual([true, true, false, true]);
    expect([0, 1, 2].map((counter) => check(59, { subType: 'hotp', counter }))).toEqual([true, true, false]);
    expect(verifyOneTimePassword('', device({}), 59)).toBe(false);
    expect(verifyOneTimePassword('94287082', { credentialData: 'x', secretData: 'y' }, 59)).toBe(false);
  });
});
