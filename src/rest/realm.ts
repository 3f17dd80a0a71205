import type { Target } from '../services/core/target.js';
import { realmByName } from '../services/realms/locate.js';
import { at, child, type Places } from './place.js';

/** The start of almost every path. */
export const realm = at('/{realm}', (ctx, params) => realmByName(ctx, params.realm ?? ''));

/** The realm as what an operation works on. */
export const inRealm: Places<Target> = child(realm, '', (_ctx, found) => ({ realm: found }));
