import { type ClientInput, ClientRepresentation } from '../clients/representation.js';
import { members } from '../core/json.js';
import { read } from '../core/operation.js';
import { invalid } from '../core/refusal.js';
import { decode, documentText, representation } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { clientOfMetadata } from './from-metadata.js';
import { OidcClientRepresentation } from './metadata.js';
import { clientOfSamlMetadata } from './saml-metadata.js';

/** A document that describes a client. */
const ClientDescription = representation('ClientDescription', { document: documentText });

const unsupported = () => invalid('Unsupported format', 'document');

async function clientOf(document: string): Promise<ClientInput> {
  if (document.startsWith('<')) return clientOfSamlMetadata(document, 'document');
  const described = parsed(document);
  if ('clientId' in described) return decode(ClientRepresentation, described);
  if ('redirect_uris' in described) return clientOfMetadata(decode(OidcClientRepresentation, described));
  throw unsupported();
}

function parsed(document: string): Record<string, unknown> {
  try {
    return members(JSON.parse(document));
  } catch {
    throw unsupported();
  }
}

export const convert = read({
  name: 'clientDescription.convert',
  summary:
    'Converts a client description (JSON representation, OpenID Connect metadata, or SAML metadata) into a client representation. Stores nothing.',
  input: ClientDescription,
  allow: 'manage:clients',
  run: (_ctx, _target: Target, { document = '' }): Promise<ClientInput> => clientOf(document.trim()),
});
