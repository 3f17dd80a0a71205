// @both-databases
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelOf } from '../../src/database/model.js';
import { dialect } from '../support/database.js';
import { type Compared, comparedDatabase, models, shown, valuesOf } from './compared.js';
import { RandomQuery, type World } from './random-query.js';

// A page is a part of the whole list, whatever the filter asks for: also relations that Prisma's client does not know.
const firstSeed = Number(process.env.REALMGATE_SEED ?? 1);
const perModel = Number(process.env.REALMGATE_QUERIES ?? 150);
const world: World = {
  models,
  values: valuesOf,
  compound: [],
  nullsAreLargest: dialect === 'postgresql',
  computed: true,
};

let both: Compared;
beforeAll(async () => {
  both = await comparedDatabase();
});
afterAll(() => both?.close());

describe.each(models)('random pages of %s', (name) => {
  it('are parts of the whole list', async () => {
    const model = modelOf(name);
    const orderBy = model.primaryKey.map((field) => ({ [field]: 'asc' }));
    let pages = 0;
    for (let seed = firstSeed; seed < firstSeed + perModel; seed += 1) {
      const where = new RandomQuery(seed, world).where(model, 2);
      const whole = await both.ours(name).findMany({ where, orderBy });
      for (const skip of [1, 2, 5].filter((count) => count < whole.length)) {
        const page = await both.ours(name).findMany({ where, orderBy, skip, take: 3 });
        expect(page, `seed ${seed}, skip ${skip}: ${shown(where)}`).toEqual(whole.slice(skip, skip + 3));
        pages += 1;
      }
    }
    expect(pages).toBeGreaterThan(perModel / 5);
  });
});
