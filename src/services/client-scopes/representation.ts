import { flag, type Input, list, map, representation, text } from '../core/shape.js';

/** ProtocolMapperRepresentation of the contract. `consentRequired` is always answered as false and never kept. */
export const ProtocolMapperRepresentation = representation('ProtocolMapperRepresentation', {
  id: text,
  name: text,
  protocol: text,
  protocolMapper: text,
  consentRequired: flag,
  consentText: text,
  config: map,
});
export type ProtocolMapperInput = Input<typeof ProtocolMapperRepresentation>;

/** ClientScopeRepresentation of the contract. */
export const ClientScopeRepresentation = representation('ClientScopeRepresentation', {
  id: text,
  name: text,
  description: text,
  protocol: text,
  attributes: map,
  protocolMappers: list(ProtocolMapperRepresentation),
});
export type ClientScopeInput = Input<typeof ClientScopeRepresentation>;
