import { read, write } from '../core/operation.js';
import { invalid, notFound } from '../core/refusal.js';
import { int, representation } from '../core/shape.js';
import { newClientSecret } from '../realms/assemble/realm.js';
import type { ClientTarget } from './locate.js';
import { touched } from './operations.js';
import {
  acceptedPrevious,
  attributesOfNewSecret,
  isExpiredSecret,
  noPreviousSecret,
  openedSecret,
  previousSecret,
  sealedSecret,
} from './secrets.js';
import { accountOf, altersClient } from './service-account.js';

/** The secret of a client, where it has one, and the client it is of. */
export interface ClientSecret {
  id: string;
  secret: string | undefined;
}

/** CredentialRepresentation of a client's secret; without a value for a client that has none. */
export const encodeSecret = ({ secret }: ClientSecret) => ({
  type: 'secret',
  ...(secret !== undefined && { value: secret }),
});

export const secret = read({
  name: 'client.secret',
  summary: 'Returns the secret of a client.',
  allow: 'view:clients',
  actsOn: accountOf,
  run: async (ctx, { client }: ClientTarget): Promise<ClientSecret> => {
    const row = await ctx.db.client.findUnique({ where: { id: client.id }, select: { secret: true } });
    return { id: client.id, secret: row ? openedSecret({ ...client, ...row }, ctx.services.sealer) : undefined };
  },
});

export const rotatedSecret = read({
  name: 'client.rotatedSecret',
  summary: 'Returns the previous secret of a client, during its grace period.',
  allow: 'view:clients',
  actsOn: accountOf,
  run: async (ctx, { client }: ClientTarget): Promise<ClientSecret> => {
    const { sealer, now } = ctx.services;
    const select = { previousSecret: true, previousSecretUntil: true };
    const row = await ctx.db.client.findUnique({ where: { id: client.id }, select });
    const secret = row ? acceptedPrevious({ ...client, ...row }, sealer, now()) : undefined;
    if (secret === undefined) throw notFound('Client does not have a rotated secret');
    return { id: client.id, secret };
  },
});

const writesSecret = {
  allow: 'configure:clients',
  actsOn: accountOf,
  alters: altersClient,
  lock: ({ client }: ClientTarget) => ({ model: 'Client' as const, id: client.id }),
  touches: ({ id }: { id: string }, { realm }: ClientTarget) => touched({ id, realmId: realm.id }),
} as const;

const audit = (id: string, more: object = {}) =>
  ({
    operationType: 'ACTION',
    resourceType: 'CLIENT',
    resourcePath: `clients/${id}/client-secret`,
    representation: { type: 'secret', ...more },
  }) as const;

export const regenerateSecret = write({
  ...writesSecret,
  name: 'client.regenerateSecret',
  summary: 'Generates a new secret for a client and returns it. The previous secret is invalid immediately.',
  run: async (tx, { client }: ClientTarget, _input, { ctx }): Promise<ClientSecret> => {
    const value = newClientSecret();
    const where = { id: client.id };
    const row = await tx.client.findUniqueOrThrow({ where, select: { attributes: true } });
    await tx.later.client.updateMany({
      where: { id: client.id },
      data: {
        secret: sealedSecret(client, value, ctx.services.sealer),
        attributes: attributesOfNewSecret(row),
        ...noPreviousSecret,
        version: { increment: 1 },
      },
    });
    return { id: client.id, secret: value };
  },
  event: ({ id }) => ({ ...audit(id), replaces: [['secret']] }),
});

/** Seconds for which the previous secret is accepted by default and at most. */
const usualGrace = 24 * 60 * 60;
const longestGrace = 30 * usualGrace;

const Rotation = representation('ClientSecretRotation', { gracePeriod: int });

export const rotateSecret = write({
  ...writesSecret,
  name: 'client.rotateSecret',
  summary:
    'Generates a new secret for a client and returns it. The previous secret is accepted until the end of the grace period.',
  input: Rotation,
  check: (_permit, _target: ClientTarget, { gracePeriod = usualGrace }) => {
    if (gracePeriod < 0 || gracePeriod > longestGrace) {
      throw invalid(`\`gracePeriod\` must be between 0 and ${longestGrace} seconds, got ${gracePeriod}`, 'gracePeriod');
    }
  },
  run: async (tx, { client }, { gracePeriod = usualGrace }, { ctx }): Promise<ClientSecret & { until?: number }> => {
    const { sealer, now } = ctx.services;
    const value = newClientSecret();
    const row = await tx.client.findUniqueOrThrow({
      where: { id: client.id },
      select: { secret: true, attributes: true },
    });
    const before = isExpiredSecret(row, now()) ? undefined : openedSecret({ ...client, ...row }, sealer);
    const until = before !== undefined && gracePeriod > 0 ? now() + gracePeriod * 1000 : undefined;
    await tx.later.client.updateMany({
      where: { id: client.id },
      data: {
        secret: sealedSecret(client, value, sealer),
        attributes: attributesOfNewSecret(row),
        ...(before !== undefined && until !== undefined
          ? previousSecret(client, before, until, sealer)
          : noPreviousSecret),
        version: { increment: 1 },
      },
    });
    return { id: client.id, secret: value, ...(until !== undefined && { until }) };
  },
  event: ({ id, until }) => ({
    ...audit(id, until === undefined ? {} : { previousSecretUntil: until }),
    replaces: [['secret']],
  }),
});

export const revokePreviousSecret = write({
  ...writesSecret,
  name: 'client.revokePreviousSecret',
  summary: 'Ends the grace period of the previous secret of a client.',
  run: async (tx, { client }: ClientTarget): Promise<{ id: string }> => {
    const data = { ...noPreviousSecret, version: { increment: 1 } };
    await tx.later.client.updateMany({ where: { id: client.id }, data });
    return { id: client.id };
  },
  event: ({ id }) => audit(id, { previousSecretUntil: 0 }),
});
