import { shapesOf } from '../core/fields.js';
import { type Input, representation } from '../core/shape.js';
import { clientFields } from './fields.js';

/** The shapes of the fields of a client. */
export const clientShapes = shapesOf(clientFields);

/** ClientRepresentation of the contract. */
export const ClientRepresentation = representation('ClientRepresentation', clientShapes);
export type ClientInput = Input<typeof ClientRepresentation>;
