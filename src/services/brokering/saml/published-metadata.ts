import type { FetchPublic } from '../../core/fetch-public.js';
import { parseXml } from '../../core/xml.js';
import { certificatesOf, describedProviders, isValidAt } from '../../identity-providers/saml-metadata.js';
import {
  type MetadataSource,
  type PublishedMetadata,
  type PublishedProvider,
  UpstreamFailure,
} from '../provider-context.js';

/** An identity provider, as the metadata at an address has described it. */
interface Known {
  last?: { provider: PublishedProvider; at: number };
  /** milliseconds since 1970 at which the latest attempt to fetch it began */
  attemptedAt: number;
  /** failed attempts since the last success */
  failures: number;
  failure?: UpstreamFailure;
  /** the attempt that has not ended; never rejects */
  renewal?: Promise<void>;
}

/** Most descriptions that are remembered. */
const mostDescriptions = 500;
/** Most certificates of a provider: a message is verified with each. */
const mostCertificates = 5;
/** Milliseconds for which a description is good, and the least time between two requests for it. After failures, the pause doubles up to the first one. */
const longest = 600_000;
const shortest = 10_000;
/** Milliseconds for which the last description still counts while a new one cannot be fetched. */
const longestWithoutRenewal = 24 * 60 * 60_000;
/** Milliseconds that a login waits for metadata. */
const longestWait = 5_000;

/** Metadata was read, and does not describe the provider, or not any more. Earlier descriptions do not count either. */
class WithdrawnProvider extends UpstreamFailure {}

/**
 * Fetches the metadata of SAML providers, and remembers it for some minutes. The last description counts for a day while the metadata
 * cannot be fetched.
 */
export function publishedMetadata(fetchPublic: FetchPublic, now: () => number): PublishedMetadata {
  const descriptions = new Map<string, Known>();
  return async (source, options) => {
    const key = JSON.stringify([source.url, source.entityId ?? null]);
    const known = descriptions.get(key) ?? { attemptedAt: Number.NEGATIVE_INFINITY, failures: 0 };
    if (!descriptions.has(key)) {
      const [oldest] = descriptions.keys();
      if (descriptions.size >= mostDescriptions && oldest !== undefined) descriptions.delete(oldest);
      descriptions.set(key, known);
    }
    if (!known.renewal && isDue(known, options?.outdated, now()))
      known.renewal = renew(known, fetchPublic, source, now);
    if (known.renewal) await atMost(longestWait, known.renewal);
    const provider = lastProvider(known, now());
    if (!provider) throw known.failure ?? new UpstreamFailure('the metadata takes too long to fetch');
    return provider;
  };
}

/** The last description of a provider, if it still counts. */
const lastProvider = ({ last }: Known, at: number): PublishedProvider | undefined =>
  last && at - last.at < longestWithoutRenewal && isValidAt(last.provider, at) ? last.provider : undefined;

function isDue(known: Known, outdated: PublishedProvider | undefined, at: number): boolean {
  const { last, attemptedAt, failures } = known;
  const isUsable = lastProvider(known, at) !== undefined && last?.provider !== outdated;
  const pause = failures > 0 ? Math.min(shortest * 2 ** (failures - 1), longest) : isUsable ? longest : shortest;
  return at - attemptedAt >= pause;
}

async function renew(known: Known, fetchPublic: FetchPublic, source: MetadataSource, now: () => number): Promise<void> {
  known.attemptedAt = now();
  try {
    known.last = { provider: await fetchedProvider(fetchPublic, source, now), at: now() };
    known.failures = 0;
    delete known.failure;
  } catch (error) {
    known.failures += 1;
    known.failure = error instanceof UpstreamFailure ? error : new UpstreamFailure('the metadata could not be fetched');
    if (error instanceof WithdrawnProvider) delete known.last;
  } finally {
    delete known.renewal;
  }
}

/** Waits until something is done, but no longer than a number of milliseconds. */
async function atMost(milliseconds: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([done, over]);
  clearTimeout(timer);
}

async function fetchedProvider(
  fetchPublic: FetchPublic,
  { url, entityId }: MetadataSource,
  now: () => number,
): Promise<PublishedProvider> {
  const answer = await fetchPublic(url);
  if (!answer.ok) throw new UpstreamFailure(`the metadata answers ${answer.status}`);
  const all = describedProviders(await parseXml(await answer.text(), 'metadata', url));
  const [found, ...others] = entityId === undefined ? all : all.filter((one) => one.entityId === entityId);
  if (!found) throw new WithdrawnProvider('the metadata does not describe the provider');
  // whose keys are meant, only a setting can say
  if (others.length > 0) throw new WithdrawnProvider('the metadata describes several providers');
  if (!isValidAt(found, now())) throw new WithdrawnProvider('the metadata has expired');
  const certificates = certificatesOf(found.descriptor, 'signing').slice(0, mostCertificates);
  if (certificates.length === 0) throw new WithdrawnProvider('the metadata names no certificate');
  return { entityId: found.entityId, certificates, validUntil: found.validUntil };
}
