import { expect, it } from 'vitest';
import { DesiredRealmError } from '../../src/cli/desired/faults.js';
import { faultsOf, invalid, mostFaults, Refusal, Refusals, refuseAll } from '../../src/services/core/refusal.js';

it('tells of a thousand faults one by one, and how many more there are', () => {
  const refusals = Array.from({ length: 5211 }, (_, at) => invalid(`Wrong ${at}`, `users.${at}`));
  const refused = (count: number) => {
    try {
      refuseAll(refusals.slice(0, count));
    } catch (error) {
      if (error instanceof Refusal) return faultsOf(error).map(({ message }) => message);
      throw error;
    }
    return [];
  };
  expect(refused(1000)).toHaveLength(1000);
  expect(refused(1000).at(-1)).toBe('Wrong 999');
  expect(refused(5211)).toHaveLength(1001);
  expect(refused(5211).slice(-2)).toEqual(['Wrong 999', 'And 4,211 more']);
});

it('throws the faults of parts within parts once', async () => {
  const refusals = new Refusals();
  const refuseBelow = async (levels: number): Promise<void> => {
    if (levels > 0) await refusals.attemptLater(() => refuseBelow(levels - 1));
    for (let at = 0; at <= mostFaults; at += 1) refusals.add(invalid(`Wrong ${at}`));
  };
  await expect(refuseBelow(20)).rejects.toThrow('Wrong 0');
  expect(refusals.all).toHaveLength(mostFaults + 1);
});

it('prints a thousand faults of a file, and how many more there are', () => {
  const faults = Array.from({ length: 5211 }, (_, at) => ({ severity: 'error', message: `Wrong ${at}` }) as const);
  const lines = new DesiredRealmError(faults).message.split('\n');
  expect(lines).toHaveLength(1001);
  expect(lines.slice(-2)).toEqual(['Wrong 999', 'and 4,211 more']);
});
