import { json } from '../http/answer.js';
import { encodeKeysMetadata } from '../services/keys/metadata.js';
import { keys } from '../services/keys/operations.js';
import { KeysMetadata } from './answer-shapes.js';
import { below } from './place.js';
import { inRealm } from './realm.js';
import { get } from './table.js';

export const keyRoutes = get(below(inRealm, '/keys'), keys, {
  returns: KeysMetadata,
  answer: (found) => json(encodeKeysMetadata(found)),
});
