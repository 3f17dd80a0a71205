import type { FetchPublic } from '../../core/fetch-public.js';
import { parseXml } from '../../core/xml.js';
import { settingsOfMetadata } from '../../identity-providers/import-config.js';
import { type PublishedCertificates, UpstreamFailure } from '../provider-context.js';

interface Known {
  fetchedAt: number;
  certificates: Promise<readonly string[]>;
}

/** Most documents that are remembered. */
const mostDocuments = 500;
/** How long a document is good for, and the least time between two requests for it, in milliseconds. */
const longest = 600_000;
const shortest = 10_000;

/** Fetches the metadata of SAML providers, and remembers it for some minutes. */
export function publishedCertificates(fetchPublic: FetchPublic, now: () => number): PublishedCertificates {
  const documents = new Map<string, Known>();
  return async (url, options) => {
    const known = documents.get(url);
    const age = known ? now() - known.fetchedAt : Number.POSITIVE_INFINITY;
    if (known && (age < shortest || (age < longest && (await known.certificates) !== options?.isOutdated)))
      return known.certificates;
    const fetched = fetchedCertificates(fetchPublic, url);
    const [oldest] = documents.keys();
    if (!known && documents.size >= mostDocuments && oldest !== undefined) documents.delete(oldest);
    // who waits meanwhile gets the same answer
    documents.set(url, { fetchedAt: now(), certificates: fetched });
    try {
      return await fetched;
    } catch (error) {
      documents.delete(url);
      throw error;
    }
  };
}

async function fetchedCertificates(fetchPublic: FetchPublic, url: string): Promise<readonly string[]> {
  try {
    const answer = await fetchPublic(url);
    if (!answer.ok) throw new UpstreamFailure(`the metadata answers ${answer.status}`);
    const { signingCertificate = '' } = settingsOfMetadata(await parseXml(await answer.text(), 'metadata', url));
    if (signingCertificate === '') throw new UpstreamFailure('the metadata names no certificate');
    return signingCertificate.split(',');
  } catch (error) {
    if (error instanceof UpstreamFailure) throw error;
    throw new UpstreamFailure('the metadata could not be fetched');
  }
}
