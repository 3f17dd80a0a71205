import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOutages } from '../../src/telemetry/outages.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Outages whose lines are collected. */
function collected() {
  const lines: object[] = [];
  const write = (details: object, msg: string) => lines.push({ ...details, msg });
  const log = { warn: write, info: write };
  const outages = createOutages(log as never, { failed: 'begun', continues: 'continues', recovered: 'over' }, Date.now);
  return { lines, outages };
}

it('states the begin of a failure at once, its repetitions once a minute, and its end', () => {
  const { lines, outages } = collected();
  outages.succeeded();
  outages.failed({ reason: 'full' });
  outages.succeeded();
  outages.failed();
  outages.failed();
  vi.advanceTimersByTime(60_000);
  vi.advanceTimersByTime(60_000);
  outages.failed();
  vi.advanceTimersByTime(5000);
  outages.succeeded();
  outages.succeeded();
  expect(lines).toEqual([
    { reason: 'full', msg: 'begun' },
    { reason: 'full', failures: 2, seconds: 60, msg: 'continues' },
    { failures: 4, seconds: 125, msg: 'over' },
  ]);
});

it('tells apart what fails', () => {
  const { lines, outages } = collected();
  outages.failed({}, 'one');
  outages.failed({}, 'two');
  vi.advanceTimersByTime(5000);
  outages.succeeded('two');
  expect(lines).toEqual([{ msg: 'begun' }, { msg: 'begun' }, { about: 'two', failures: 1, seconds: 5, msg: 'over' }]);
});

it('states the end also when nothing is asked after it', () => {
  const { lines, outages } = collected();
  outages.failed();
  vi.advanceTimersByTime(500);
  outages.succeeded();
  vi.advanceTimersByTime(1000);
  outages.failed();
  vi.advanceTimersByTime(500);
  outages.succeeded();
  vi.advanceTimersByTime(1499);
  expect(lines).toEqual([{ msg: 'begun' }]);
  vi.advanceTimersByTime(1);
  expect(lines).toEqual([{ msg: 'begun' }, { failures: 2, seconds: 4, msg: 'over' }]);
});
