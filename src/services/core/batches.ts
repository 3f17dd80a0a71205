/** Rows that go in one transaction of a removal in the background. */
export const batchSize = 1000;

const pause = 10;

/**
 * Repeats a step that removes up to `batchSize` rows and returns their number, until there are fewer. Other requests
 * run between two steps.
 */
export async function inBatches(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) === batchSize) await new Promise((resume) => setTimeout(resume, pause));
}
