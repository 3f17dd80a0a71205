import { builder } from './builder.js';
import './realms.js';
import './roles.js';

/** The GraphQL schema, built once. */
export const schema = builder.toSchema();
