import { invalid, type Refusal } from '../core/refusal.js';

/** A refusal in the form that the contract has for certificates. */
export const refused = (error: string, message: string, field: string): Refusal =>
  invalid(message, field, { body: { error, error_description: message } });

export const unreadable = (): Refusal =>
  refused('invalid-keystore', 'The file cannot be read in the given format', 'file');
export const wrongPassword = (): Refusal => refused('invalid-keystore', 'The store password is wrong', 'storePassword');
export const tooCostly = (): Refusal => refused('invalid-keystore', 'Opening the key store takes too long', 'file');
