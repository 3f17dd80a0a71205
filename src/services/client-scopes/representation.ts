import { z } from 'zod';
import { shapesOf } from '../core/fields.js';
import { countedEntries, entryName, type Input, representation, text } from '../core/shape.js';
import { clientScopeFields, ProtocolMapperRepresentation } from './fields.js';

export { ProtocolMapperRepresentation };
export type ProtocolMapperInput = Input<typeof ProtocolMapperRepresentation>;

const shapes = shapesOf(clientScopeFields);

/** ClientScopeRepresentation of the contract. Unlike elsewhere, fields that it does not have are ignored, as recorded. */
export const ClientScopeRepresentation = representation('ClientScopeRepresentation', shapes, 'ignored');
export type ClientScopeInput = Input<typeof ClientScopeRepresentation>;

/** The same for an update, in which a null attribute is removed. */
export const ClientScopeChanges = representation(
  'ClientScopeRepresentation-Update',
  {
    ...shapes,
    attributes: z.preprocess(
      (value, context) => (Array.isArray(value) && value.length === 0 ? {} : countedEntries(value, context)),
      z.record(entryName, text.nullable()),
    ),
  },
  'ignored',
);
