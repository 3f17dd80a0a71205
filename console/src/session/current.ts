import { type Client, type Exchange, makeOperation, mapExchange, type Operation } from 'urql';

/**
 * Loads a query again if a mutation was performed while it was under way, or if its answer arrives after that of a later request: the answer
 * can be outdated. After a mutation, urql's cache reloads only queries that have been answered.
 */
export function keepCurrent(client: () => Pick<Client, 'reexecuteOperation'>): Exchange {
  let moment = 0;
  let lastWrite = 0;
  const askedAt = new WeakMap<Operation, number>();
  /** when those were asked for whose answers have come, by the keys of queries */
  const newest = new Map<number, number>();
  return mapExchange({
    onOperation(operation) {
      moment += 1;
      askedAt.set(operation, moment);
    },
    onResult({ operation }) {
      if (operation.kind === 'mutation') {
        moment += 1;
        lastWrite = moment;
      }
      if (operation.kind !== 'query') return;
      const asked = askedAt.get(operation) ?? moment;
      const isOld = asked < Math.max(lastWrite, newest.get(operation.key) ?? 0);
      if (!isOld) newest.set(operation.key, asked);
      else {
        const context = { ...operation.context, requestPolicy: 'network-only' as const };
        client().reexecuteOperation(makeOperation('query', operation, context));
      }
    },
  });
}
