/** A rule for passwords (PasswordPolicyTypeRepresentation of the contract). */
export interface PasswordPolicyType {
  id: string;
  displayName: string;
  configType?: 'int' | 'String';
  defaultValue?: string;
  multipleSupported: boolean;
}

const policy = (id: string, displayName: string, more: Partial<PasswordPolicyType> = {}): PasswordPolicyType => ({
  id,
  displayName,
  ...more,
  multipleSupported: more.multipleSupported ?? false,
});

/** The rules that a password policy can be made of. */
export const passwordPolicyTypes: readonly PasswordPolicyType[] = [
  policy('digits', 'Digits', { configType: 'int', defaultValue: '1' }),
  policy('forceExpiredPasswordChange', 'Password expiration in days', { configType: 'String', defaultValue: '365' }),
  policy('hashAlgorithm', 'Hash algorithm', { configType: 'String', defaultValue: 'pbkdf2-sha256' }),
  policy('hashIterations', 'Hash iterations', { configType: 'int', defaultValue: '27500' }),
  policy('length', 'Minimum length', { configType: 'int', defaultValue: '8' }),
  policy('lowerCase', 'Lowercase characters', { configType: 'int', defaultValue: '1' }),
  policy('maxLength', 'Maximum length', { configType: 'int', defaultValue: '64' }),
  policy('notEmail', 'Not the email address'),
  policy('notUsername', 'Not the username'),
  policy('passwordBlacklist', 'Not on a blacklist', { configType: 'String', defaultValue: '' }),
  policy('passwordHistory', 'Not recently used', { configType: 'int', defaultValue: '3' }),
  policy('regexPattern', 'Regular expression', { configType: 'String', defaultValue: '', multipleSupported: true }),
  policy('specialChars', 'Special characters', { configType: 'int', defaultValue: '1' }),
  policy('upperCase', 'Uppercase characters', { configType: 'int', defaultValue: '1' }),
];
