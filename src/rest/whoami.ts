import { consoleRealm, whoAmI } from '../services/whoami/operations.js';
import { WhoAmI } from './answer-shapes.js';
import { at } from './place.js';
import { get } from './table.js';

/** Who the caller is, as administration consoles ask; the documents do not have it. */
const places = at('', (ctx, params) => consoleRealm(ctx, params.realm ?? '')).map((place) => ({
  ...place,
  admin: '/{realm}/console/whoami',
}));

export const whoAmIRoutes = get(places, whoAmI, { returns: WhoAmI }).map((route) => ({ ...route, console: true }));
