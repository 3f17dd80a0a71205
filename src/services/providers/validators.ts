import { type ProviderType, provider, setting } from './provider.js';

/** Checks of attributes, and what the profile of users is declared with. */
export const validators: readonly ProviderType[] = [
  provider('double', 'A number between bounds.', [setting('max', 'String'), setting('min', 'String')]),
  provider('email', 'An e-mail address.', []),
  provider('integer', 'A whole number between bounds.', [setting('max', 'String'), setting('min', 'String')]),
  provider('length', 'A text of a length between bounds.', [setting('max', 'String'), setting('min', 'String')]),
  provider('local-date', 'A date as the reader writes it.', []),
  provider('pattern', 'A text that matches a regular expression.', [
    setting('error-message', 'String'),
    setting('pattern', 'String'),
  ]),
  provider('person-name-prohibited-characters', 'A name without characters that scripts are made of.', [
    setting('error-message', 'String'),
  ]),
  provider('uri', 'An address.', []),
  provider('username-prohibited-characters', 'A user name without characters that scripts are made of.', [
    setting('error-message', 'String'),
  ]),
];

/** What describes the profile of users. */
export const userProfileProviders: readonly ProviderType[] = [
  provider('declarative-user-profile', 'Attributes of users by a declaration.', []),
];
