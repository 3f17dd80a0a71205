import { builder } from './core/builder.js';
import './types.js';

/** The GraphQL schema, built once. */
export const schema = builder.toSchema();
