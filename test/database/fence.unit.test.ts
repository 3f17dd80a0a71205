import { expect, it } from 'vitest';
import { Fence, type ServerIdentity } from '../../src/database/fence.js';

const cluster = 'cluster-1';

const server = (timeline: number, branch?: string, systemIdentifier = cluster): ServerIdentity => ({
  systemIdentifier,
  timeline,
  record: branch === undefined ? undefined : { systemIdentifier, timeline, branch },
});

/** A fence whose reports are collected. */
function watched() {
  const reports: string[] = [];
  const fence = new Fence({
    switched: (host, timeline, previous) => reports.push(`switched ${host} ${previous} ${timeline}`),
    refused: (host) => reports.push(`refused ${host}`),
    accepted: (host) => reports.push(`accepted ${host}`),
  });
  return { fence, reports };
}

it('refuses a former primary, reports it once, and ends the connections to it', () => {
  const { fence, reports } = watched();
  const ended: string[] = [];
  fence.admit('one', server(1, 'a'));
  fence.hold({}, 1, () => ended.push('one'));
  const release = fence.hold({}, 1, () => ended.push('released'));
  release();
  fence.admit('two', { ...server(2), record: server(1, 'a').record });
  expect(ended).toEqual(['one']);
  for (let times = 0; times < 2; times += 1)
    expect(() => fence.admit('one', server(1, 'a'))).toThrow(/timeline is 1.*one is 2/);
  fence.hold({}, 1, () => ended.push('late'));
  expect(ended).toEqual(['one', 'late']);
  fence.accept('one');
  fence.accept('two');
  expect(reports).toEqual(['switched two 1 2', 'refused one', 'accepted one']);
});

it('refuses a server whose record another process has given a newer timeline', () => {
  const { fence } = watched();
  expect(() => fence.admit('one', { ...server(1), record: server(2, 'b').record })).toThrow('is behind');
  fence.admit('two', server(2, 'b'));
  expect(fence.known).toMatchObject({ timeline: 2, branch: 'b' });
});

it('tells apart two servers that were promoted to the same timeline', () => {
  const { fence } = watched();
  fence.admit('one', server(2));
  fence.recorded({ systemIdentifier: cluster, timeline: 2, branch: 'b' });
  fence.admit('one', server(2, 'b'));
  expect(() => fence.admit('two', server(2, 'c'))).toThrow('so was the one in use');
});

it('compares timelines within one cluster only, and takes another cluster for another database', () => {
  const { fence } = watched();
  expect(() => fence.admit('one', { ...server(9, 'z', 'cluster-2'), record: server(1, 'a').record })).toThrow(
    'realmgate accept-database cluster-2',
  );
  fence.admit('one', server(1, 'a'));
  expect(() => fence.admit('two', server(9, 'z', 'cluster-2'))).toThrow('the database is that of cluster-1');
});
