import { abilitiesOf } from '../core/ability.js';
import { remove } from './initial-access.js';

/** The operations on an initial access token. */
export const initialAccessAbilities = abilitiesOf<object>()({
  reads: {},
  target: () => ({}),
  of: { delete: { operation: remove } },
});
