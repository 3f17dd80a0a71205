import { masterTarget } from '../services/realms/operations.js';
import { serverInfo } from '../services/server-info/operations.js';
import { at } from './place.js';
import { ServerInfo } from './server-info-shape.js';
import { get } from './table.js';

export const serverInfoRoutes = get(
  at('/', masterTarget).map((place) => ({ ...place, admin: '/serverinfo' })),
  serverInfo,
  { returns: ServerInfo },
);
