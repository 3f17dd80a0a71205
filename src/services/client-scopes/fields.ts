import { type Fields, shapesOf } from '../core/fields.js';
import { flag, idText, list, map, representation, shortText, text } from '../core/shape.js';

/** The fields of a protocol mapper. `consentRequired` is always answered as false and never kept. */
export const protocolMapperFields = {
  id: { shape: text, isStored: true, isFixed: true, description: 'ID of the protocol mapper.' },
  name: {
    shape: shortText,
    isStored: true,
    isFixed: true,
    description: 'Name of the mapper, unique among the mappers of the client or client scope with the same protocol.',
    graph: { inputs: 'none', isFiltered: true, isOrdered: true },
  },
  protocol: {
    shape: shortText,
    isStored: true,
    isFixed: true,
    isNullable: true,
    description: 'Protocol of the mapper: `openid-connect` or `saml`.',
  },
  protocolMapper: {
    shape: shortText,
    isStored: true,
    isNullable: true,
    isReplaced: true,
    description: 'Type of the mapper, e.g. `oidc-usermodel-attribute-mapper`.',
  },
  consentRequired: { shape: flag },
  consentText: { shape: text },
  config: { shape: map, description: 'Settings of the mapper, by name.' },
} as const satisfies Fields;

/** ProtocolMapperRepresentation of the contract. */
export const ProtocolMapperRepresentation = representation(
  'ProtocolMapperRepresentation',
  shapesOf(protocolMapperFields),
);

/** The fields of a client scope. */
export const clientScopeFields = {
  id: { shape: idText, isStored: true, isFixed: true, description: 'ID of the client scope.' },
  name: {
    shape: shortText,
    isStored: true,
    description: 'Name of the client scope, unique in the realm. Token requests use it in the `scope` parameter.',
    graph: { isRequired: true, isFiltered: true, isOrdered: true },
  },
  description: {
    shape: shortText,
    isStored: true,
    isNullable: true,
    description: 'Description of the client scope.',
    graph: { isFiltered: true },
  },
  protocol: {
    shape: text,
    isStored: true,
    isNullable: true,
    initial: null,
    description: 'Protocol of the clients that the scope applies to: `openid-connect` or `saml`.',
  },
  protocolMappers: {
    shape: list(ProtocolMapperRepresentation),
    description: 'Protocol mappers of the client scope.',
  },
  attributes: { shape: map, description: 'Settings and custom attributes of the client scope, by name.' },
} as const satisfies Fields;
