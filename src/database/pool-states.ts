import type { Pool } from 'pg';
import type { PoolState } from './db.js';

/** The states of the pools of a process. */
export function poolStates(primary: Pool, standbys: readonly Pool[]): PoolState[] {
  return [stateOf('primary', [primary]), ...(standbys.length > 0 ? [stateOf('standbys', standbys)] : [])];
}

function stateOf(pool: PoolState['pool'], pools: readonly Pool[]): PoolState {
  const sum = (of: (one: Pool) => number): number => pools.reduce((total, one) => total + of(one), 0);
  return {
    pool,
    size: sum(({ options }) => options.max ?? 0),
    inUse: sum(({ totalCount, idleCount }) => totalCount - idleCount),
    idle: sum(({ idleCount }) => idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
  };
}
