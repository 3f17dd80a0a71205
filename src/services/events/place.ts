/** A place in the order of events. */
export interface Place {
  position: bigint;
  time: bigint;
  id: string;
}

/** A condition for events after a place. */
export const afterPlace = ({ position, time, id }: Place): object => ({
  OR: [{ position: { gt: position } }, { position, time: { gt: time } }, { position, time, id: { gt: id } }],
});

/** The order of events, as a query states it. */
export const inPlaceOrder = [{ position: 'asc' }, { time: 'asc' }, { id: 'asc' }] satisfies {
  [K in keyof Place]?: 'asc';
}[];

/** Compares places, for sorting. */
export const byPlace = (one: Place, other: Place): number => {
  for (const key of ['position', 'time', 'id'] as const) {
    if (one[key] !== other[key]) return one[key] < other[key] ? -1 : 1;
  }
  return 0;
};
