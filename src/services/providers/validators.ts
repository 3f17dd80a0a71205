import { type ProviderType, provider, setting } from './provider.js';

/** Checks of attributes for the declaration of the user profile. */
export const validators: readonly ProviderType[] = [
  provider('double', 'A number between a minimum and a maximum.', [setting('max', 'String'), setting('min', 'String')]),
  provider('email', 'A valid email address.', []),
  provider('integer', 'An integer between a minimum and a maximum.', [
    setting('max', 'String'),
    setting('min', 'String'),
  ]),
  provider('length', 'A text with a minimum and a maximum length.', [
    setting('max', 'String'),
    setting('min', 'String'),
  ]),
  provider('local-date', "A date in the format of the user's locale.", []),
  provider('pattern', 'A text that matches a regular expression.', [
    setting('error-message', 'String'),
    setting('pattern', 'String'),
  ]),
  provider('person-name-prohibited-characters', 'A name without characters used in scripts.', [
    setting('error-message', 'String'),
  ]),
  provider('uri', 'A valid URI.', []),
  provider('username-prohibited-characters', 'A username without characters used in scripts.', [
    setting('error-message', 'String'),
  ]),
];

/** The providers of the user profile. */
export const userProfileProviders: readonly ProviderType[] = [
  provider('declarative-user-profile', 'User profile with declared attributes.', []),
];
