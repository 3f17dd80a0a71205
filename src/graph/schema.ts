import { builder } from './builder.js';
import './groups.js';
import './realm-mutations.js';
import './realms.js';
import './roles.js';

/** The GraphQL schema, built once. */
export const schema = builder.toSchema();
