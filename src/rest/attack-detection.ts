import { json } from '../http/answer.js';
import { clearAllFailures, clearFailures, getStatus } from '../services/attack-detection/operations.js';
import { encodeStatus, LoginFailureStatus } from '../services/attack-detection/representation.js';
import { below, child } from './place.js';
import { inRealm, realm } from './realm.js';
import { del, get } from './table.js';

const users = '/attack-detection/brute-force/users';
const user = child(realm, `${users}/{userId}`, (_ctx, parent, { userId = '' }) => ({ realm: parent, userId }));

export const attackDetectionRoutes = [
  get(user, getStatus, { returns: LoginFailureStatus, answer: (status) => json(encodeStatus(status)) }),
  del(user, clearFailures),
  del(below(inRealm, users), clearAllFailures),
].flat();
