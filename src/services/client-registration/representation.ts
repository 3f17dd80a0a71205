import type { Prisma } from '../../generated/sqlite/client.js';
import { ConfigPropertyRepresentation } from '../authentication/representation.js';
import { int, json, list, plainInt, record, representation, text } from '../core/shape.js';
import { view } from '../core/view.js';

/** The input for an initial access token; `expiration` is in seconds, 0 for never. */
export const ClientInitialAccessCreatePresentation = representation('ClientInitialAccessCreatePresentation', {
  count: int,
  expiration: plainInt,
});

/** ClientInitialAccessPresentation of the contract; `timestamp` is in seconds since 1970. */
export const ClientInitialAccessPresentation = representation('ClientInitialAccessPresentation', {
  count: int,
  expiration: int,
  id: text,
  remainingCount: int,
  timestamp: int,
  token: text,
});

const initialAccessSelect = {
  id: true,
  timestamp: true,
  expiration: true,
  count: true,
  remainingCount: true,
} as const satisfies Prisma.ClientInitialAccessSelect;

export type InitialAccess = Prisma.ClientInitialAccessGetPayload<{ select: typeof initialAccessSelect }>;

/** An initial access token without the token itself, which only the response to its creation contains. */
export const encodeInitialAccess = ({ id, timestamp, expiration, count, remainingCount }: InitialAccess) => ({
  id,
  timestamp,
  expiration,
  count,
  remainingCount,
});

export const initialAccessView = view(ClientInitialAccessPresentation, initialAccessSelect, encodeInitialAccess);

/** ComponentTypeRepresentation of the contract: a kind of component with its settings. */
export const ComponentTypeRepresentation = representation('ComponentTypeRepresentation', {
  id: text,
  helpText: text,
  properties: list(ConfigPropertyRepresentation),
  metadata: record(json),
});
