import { realmByName } from '../services/realms/locate.js';
import { at } from './place.js';

/** The start of almost every path. */
export const realm = at('/{realm}', (ctx, params) => realmByName(ctx, params.realm ?? ''));
