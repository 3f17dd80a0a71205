import { z } from 'zod';
import {
  countedEntries,
  entryName,
  flag,
  type Input,
  idText,
  list,
  map,
  representation,
  shortText,
  text,
} from '../core/shape.js';

/** ProtocolMapperRepresentation of the contract. `consentRequired` is always answered as false and never kept. */
export const ProtocolMapperRepresentation = representation('ProtocolMapperRepresentation', {
  id: text,
  name: shortText,
  protocol: shortText,
  protocolMapper: shortText,
  consentRequired: flag,
  consentText: text,
  config: map,
});
export type ProtocolMapperInput = Input<typeof ProtocolMapperRepresentation>;

const fields = {
  id: idText,
  name: shortText,
  description: shortText,
  protocol: text,
  protocolMappers: list(ProtocolMapperRepresentation),
};

/** ClientScopeRepresentation of the contract. Unlike elsewhere, fields that it does not have are ignored, as recorded. */
export const ClientScopeRepresentation = representation(
  'ClientScopeRepresentation',
  { ...fields, attributes: map },
  'ignored',
);
export type ClientScopeInput = Input<typeof ClientScopeRepresentation>;

/** The same for an update, in which an attribute of null is one to take away. */
export const ClientScopeChanges = representation(
  'ClientScopeRepresentation-Update',
  {
    ...fields,
    attributes: z.preprocess(
      (value, context) => (Array.isArray(value) && value.length === 0 ? {} : countedEntries(value, context)),
      z.record(entryName, text.nullable()),
    ),
  },
  'ignored',
);
