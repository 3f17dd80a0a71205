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

/** The rules that a password policy can contain. */
export const passwordPolicyTypes: readonly PasswordPolicyType[] = [
  policy('digits', 'Digits', { configType: 'int', defaultValue: '1' }),
  policy('forceExpiredPasswordChange', 'Expire Password', { configType: 'String', defaultValue: '365' }),
  policy('hashAlgorithm', 'Hashing Algorithm', { configType: 'String', defaultValue: 'pbkdf2-sha256' }),
  policy('hashIterations', 'Hashing Iterations', { configType: 'int', defaultValue: '27500' }),
  policy('length', 'Minimum Length', { configType: 'int', defaultValue: '8' }),
  policy('lowerCase', 'Lowercase Characters', { configType: 'int', defaultValue: '1' }),
  policy('maxLength', 'Maximum Length', { configType: 'int', defaultValue: '64' }),
  policy('notEmail', 'Not Email'),
  policy('notUsername', 'Not Username'),
  policy('passwordBlacklist', 'Password Blacklist', { configType: 'String', defaultValue: '' }),
  policy('passwordHistory', 'Not Recently Used', { configType: 'int', defaultValue: '3' }),
  policy('regexPattern', 'Regular Expression', { configType: 'String', defaultValue: '', multipleSupported: true }),
  policy('specialChars', 'Special Characters', { configType: 'int', defaultValue: '1' }),
  policy('upperCase', 'Uppercase Characters', { configType: 'int', defaultValue: '1' }),
];
