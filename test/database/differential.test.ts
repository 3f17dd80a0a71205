// @both-databases
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelOf } from '../../src/database/model.js';
import { dialect } from '../support/database.js';
import { isThorough } from '../support/sample.js';
import { type Compared, comparedDatabase, models, shown, valuesOf } from './compared.js';
import { RandomQuery, type World } from './random-query.js';

// What the compiler answers in one statement is held against what Prisma's own client answers to the same arguments.
// REALMGATE_SEED=N begins at another seed, REALMGATE_QUERIES=N makes more of them.
const firstSeed = Number(process.env.REALMGATE_SEED ?? 1);
const perModel = Number(process.env.REALMGATE_QUERIES ?? (isThorough ? 150 : 60));

const world: World = {
  models,
  values: valuesOf,
  compound: ['Group.parent', 'Role.client'],
  nullsAreLargest: dialect === 'postgresql',
};

let both: Compared;
beforeAll(async () => {
  both = await comparedDatabase();
});
afterAll(() => both?.close());

/** Arguments of a `findMany`, without a `skip` that Prisma's client would not answer rightly. */
function findArgs(seed: number, model: string): object {
  const { skip, ...rest } = new RandomQuery(seed, world).find(modelOf(model));
  return both.prismaSkipsRows ? { ...rest, ...(skip !== undefined && { skip }) } : rest;
}

describe.each(models)('random queries for %s', (name) => {
  const seeds = Array.from({ length: perModel }, (_, at) => firstSeed + at);

  it('find what Prisma finds', async () => {
    for (const seed of seeds) {
      const args = findArgs(seed, name);
      const [ours, theirs] = await Promise.all([both.ours(name).findMany(args), both.prisma(name).findMany(args)]);
      expect(ours, `seed ${seed}: ${shown(args)}`).toEqual(theirs);
      // what comes again may be taken from memory, and so may what is selected within it
      for (let time = 0; time < 2; time += 1) {
        const again = await both.ours(name).findMany(args);
        expect(again, `seed ${seed} again: ${shown(args)}`).toEqual(theirs);
      }
    }
  });

  it('find what Prisma finds in long pages', async () => {
    for (const seed of seeds.slice(0, seeds.length / 3)) {
      const args = { ...findArgs(seed, name), take: seed % 2 ? 25 : -25 };
      const [ours, theirs] = await Promise.all([both.ours(name).findMany(args), both.prisma(name).findMany(args)]);
      expect(ours, `seed ${seed}: ${shown(args)}`).toEqual(theirs);
    }
  });

  it('count what Prisma counts', async () => {
    for (const seed of seeds) {
      const args = { where: new RandomQuery(seed, world).where(modelOf(name), 3) };
      const [ours, theirs] = await Promise.all([both.ours(name).count(args), both.prisma(name).count(args)]);
      expect(ours, `seed ${seed}: ${shown(args)}`).toEqual(theirs);
    }
  });
});
