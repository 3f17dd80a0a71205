import type { PolicyBreach } from '../credentials/policy.js';
import type { MessageKey } from './messages-en.js';
import type { Notice } from './texts.js';

/** What a form says of a password that breaks a rule. */
export const breachNotice = ({ error, description }: PolicyBreach, field: string): Notice => ({
  key: error as MessageKey,
  parameters: [/\d+/.exec(description)?.[0] ?? ''],
  field,
});
