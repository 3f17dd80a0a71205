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
  policy('forceExpiredPasswordChange', 'Days until it expires', { configType: 'String', defaultValue: '365' }),
  policy('hashAlgorithm', 'Hash algorithm', { configType: 'String', defaultValue: 'pbkdf2-sha256' }),
  policy('hashIterations', 'Hash iterations', { configType: 'int', defaultValue: '27500' }),
  policy('length', 'Least length', { configType: 'int', defaultValue: '8' }),
  policy('lowerCase', 'Lower case letters', { configType: 'int', defaultValue: '1' }),
  policy('maxLength', 'Most length', { configType: 'int', defaultValue: '64' }),
  policy('notEmail', 'Not the e-mail address'),
  policy('notUsername', 'Not the user name'),
  policy('passwordBlacklist', 'Not on a list', { configType: 'String', defaultValue: '' }),
  policy('passwordHistory', 'Not one of the last', { configType: 'int', defaultValue: '3' }),
  policy('regexPattern', 'Regular expression', { configType: 'String', defaultValue: '', multipleSupported: true }),
  policy('specialChars', 'Special characters', { configType: 'int', defaultValue: '1' }),
  policy('upperCase', 'Upper case letters', { configType: 'int', defaultValue: '1' }),
];
