import { builder } from './builder.js';
import './admin-event-list.js';
import './attack-detection.js';
import './clients.js';
import './client-mutations.js';
import './groups.js';
import './login-events.js';
import './realm-mutations.js';
import './keys.js';
import './realm-upkeep.js';
import './realms.js';
import './permissions.js';
import './role-mappings.js';
import './roles.js';
import './sessions.js';
import './subscriptions.js';
import './users.js';
import './user-batches.js';
import './user-clients.js';
import './user-mutations.js';

/** The GraphQL schema, built once. */
export const schema = builder.toSchema();
