/**
 * Returns the stream after its first piece was produced, so that a refusal is known before an answer begins. Throws the
 * errors that the stream throws before its first piece. Ending the result ends the stream, even before anything is
 * read: the `finally` of a generator around it would not run then.
 */
export async function begun<T>(stream: AsyncGenerator<T, void>): Promise<AsyncIterableIterator<T, void>> {
  let first: IteratorResult<T, void> | undefined = await stream.next();
  const rest: AsyncIterableIterator<T, void> = {
    async next() {
      const piece = first ?? (await stream.next());
      first = undefined;
      return piece;
    },
    async return(value) {
      first = undefined;
      return stream.return(await value);
    },
    throw: (error) => stream.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return rest;
}
