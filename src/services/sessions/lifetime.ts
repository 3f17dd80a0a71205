import type { Prisma } from '../../generated/sqlite/client.js';

/** The lifetimes of sessions, in seconds. */
export interface Lifetimes {
  idle: number;
  max: number | undefined;
}

/**
 * Seconds by which a session may exceed the idle time of the realm, as in the reference server: instances share the
 * time of the last access with a delay.
 */
export const idleGrace = 120;

const number = (settings: Record<string, unknown>, name: string, standard: number): number => {
  const value = settings[name];
  return typeof value === 'number' && value > 0 ? value : standard;
};

/** The lifetimes of sessions in the settings of a realm. Sessions with "remember me" may last longer. */
export function lifetimesOf(
  settings: Record<string, unknown>,
  { offline, rememberMe }: { offline: boolean; rememberMe: boolean },
): Lifetimes {
  if (offline) {
    const limited = settings.offlineSessionMaxLifespanEnabled === true;
    return {
      idle: number(settings, 'offlineSessionIdleTimeout', 2_592_000),
      max: limited ? number(settings, 'offlineSessionMaxLifespan', 5_184_000) : undefined,
    };
  }
  const idle = number(settings, 'ssoSessionIdleTimeout', 1800);
  const max = number(settings, 'ssoSessionMaxLifespan', 36_000);
  // sessions with "remember me" are treated like others after the realm has disabled it
  if (!rememberMe || settings.rememberMe !== true) return { idle, max };
  return {
    idle: number(settings, 'ssoSessionIdleTimeoutRememberMe', idle),
    max: number(settings, 'ssoSessionMaxLifespanRememberMe', max),
  };
}

interface Aged {
  startedAt: number;
  lastAccess: number;
  offline: boolean;
  rememberMe: boolean;
  /** seconds since 1970; null if only the realm says when it ends */
  endsAt: number | null;
}

/** Whether a session is active at `at`, in seconds since 1970. */
export function isAlive(session: Aged, settings: Record<string, unknown>, at: number): boolean {
  const { idle, max } = lifetimesOf(settings, session);
  const end = Math.min(max === undefined ? Number.POSITIVE_INFINITY : session.startedAt + max, endOf(session));
  return session.lastAccess + idle + idleGrace > at && end > at;
}

/** The end that an identity provider sets for a session, in seconds since 1970. */
export const endOf = ({ endsAt }: { endsAt?: number | null }): number => endsAt ?? Number.POSITIVE_INFINITY;

/** The filter of active sessions. */
export function aliveAt(settings: Record<string, unknown>, offline: boolean, at: number): Prisma.UserSessionWhereInput {
  const kinds = [false, true].map((rememberMe) => {
    const { idle, max } = lifetimesOf(settings, { offline, rememberMe });
    return {
      rememberMe,
      lastAccess: { gt: at - idle - idleGrace },
      ...(max !== undefined && { startedAt: { gt: at - max } }),
    };
  });
  return { offline, OR: kinds, AND: [{ OR: [{ endsAt: null }, { endsAt: { gt: at } }] }] };
}

/** Filters of the sessions that do not go on at `at`, one for each kind of session. */
export function expiredAt(settings: Record<string, unknown>, at: number): Prisma.UserSessionWhereInput[] {
  const kinds = [false, true].flatMap((offline) => [false, true].map((rememberMe) => ({ offline, rememberMe })));
  return kinds.map((kind) => {
    const { idle, max } = lifetimesOf(settings, kind);
    const idled = { lastAccess: { lte: at - idle - idleGrace } };
    const over = max === undefined ? [] : [{ startedAt: { lte: at - max } }];
    return { ...kind, OR: [idled, ...over, { endsAt: { lte: at } }] };
  });
}
