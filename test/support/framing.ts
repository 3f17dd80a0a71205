// Node itself answers 431, before there is a request, and closes the connection
const bodiless = [204, 304, 431];
/** What is sent as it is read: a whole realm. */
const streams = [/\/export(\?|$)/];

type Framed = Pick<Response, 'status' | 'headers' | 'url'>;

/** The same answer. Throws where it does not state its length, so that every test of every operation looks at that. */
export function framed<R extends Framed>(response: R): R {
  const { status, headers, url } = response;
  const states = bodiless.includes(status) || headers.has('content-length');
  if (!states && !streams.some((stream) => stream.test(url))) throw new Error(`${status} ${url} states no length`);
  return response;
}
