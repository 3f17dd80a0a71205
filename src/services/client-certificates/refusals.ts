import { invalid, type Refusal } from '../core/refusal.js';

/** A refusal in the form that the contract has for certificates. */
export const refused = (error: string, message: string, field: string): Refusal =>
  invalid(message, field, { body: { error, error_description: message } });

export const unreadable = (): Refusal =>
  refused('invalid-keystore', 'The file cannot be read in the format that is named', 'file');
export const wrongPassword = (): Refusal =>
  refused('invalid-keystore', 'The store password does not open the key store', 'storePassword');
export const tooCostly = (): Refusal => refused('invalid-keystore', 'The key store takes too long to open', 'file');
