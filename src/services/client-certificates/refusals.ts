import { invalid, type Refusal } from '../core/refusal.js';

/** A refusal in the form that the contract has for certificates. */
export const refused = (error: string, message: string, field: string): Refusal =>
  invalid(message, field, { body: { error, error_description: message } });

/** Refuses a file that cannot be read in the given format. */
export const unreadable = (): Refusal =>
  refused('invalid-keystore', 'The file cannot be read in the given format', 'file');
/** Refuses a key store whose password is wrong. */
export const wrongPassword = (): Refusal => refused('invalid-keystore', 'The store password is wrong', 'storePassword');
/** Refuses a key store that takes too long to open. */
export const tooCostly = (): Refusal => refused('invalid-keystore', 'Opening the key store takes too long', 'file');
