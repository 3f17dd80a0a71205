import type { IncomingMessage } from 'node:http';
import type { Answer } from '../http/answer.js';
import { publicProviderMetadata } from '../services/identity-providers/export.js';
import { realmMetadata } from '../services/installation/realm-metadata.js';
import type { TokenContext } from '../services/tokens/context.js';
import { accepted, notAcceptable } from './negotiation.js';
import { decodedSegment } from './router.js';

const descriptorOfProvider = /^\/broker\/([^/]+)\/endpoint\/descriptor$/;

type Endpoint = (message: IncomingMessage, realmName: string) => Promise<Answer>;

/** The endpoint with SAML metadata at a path below a realm's public address, if there is one. GET is its only method. */
export function samlEndpoint(
  tokens: TokenContext,
  tail: string,
  baseOf: (message: IncomingMessage) => string,
): Endpoint | undefined {
  if (tail === '/protocol/saml/descriptor') {
    return async (message, realm) =>
      accepted(message).xml ? xml(await realmMetadata(tokens, realm, baseOf(message))) : notAcceptable;
  }
  const alias = descriptorOfProvider.exec(tail)?.[1];
  if (alias === undefined) return undefined;
  // whatever the sender accepts, as recorded
  return async (message, realm) =>
    xml(await publicProviderMetadata(tokens, realm, decodedSegment(alias), baseOf(message)));
}

const xml = (body: string): Answer => ({ status: 200, type: 'application/xml', body, public: true });
