import { abilitiesOf } from '../core/ability.js';
import { ping, remove, rotateSecret, update } from './operations.js';
import { replay } from './replay.js';

/** The possible actions on a webhook. */
export const webhookAbilities = abilitiesOf<object>()({
  reads: {},
  target: () => ({}),
  of: {
    update: { operation: update },
    delete: { operation: remove },
    rotateSecret: { operation: rotateSecret },
    ping: { operation: ping },
    replay: { operation: replay },
  },
});
