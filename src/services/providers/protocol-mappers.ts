import { dockerMappers } from './docker-mappers.js';
import { oidcMappers } from './oidc-mappers.js';
import type { MapperType } from './provider.js';
import { samlMappers } from './saml-mappers.js';

/** Types of protocol mappers by protocol. */
export const protocolMapperTypes: Readonly<Record<string, readonly MapperType[]>> = {
  'docker-v2': dockerMappers,
  'openid-connect': oidcMappers,
  saml: samlMappers,
};

/** The types of all protocols. */
export const allMapperTypes: readonly MapperType[] = Object.values(protocolMapperTypes).flat();
