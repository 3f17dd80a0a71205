import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { publishedMetadata } from '../../src/services/brokering/saml/published-metadata.js';
import { assertionXml, at, ids, instant, newKey, readerOf, responseXml, signed } from './idp.js';

const minute = 60_000;
let key: Awaited<ReturnType<typeof newKey>>;
let other: typeof key;

beforeAll(async () => {
  [key, other] = await Promise.all([newKey('idp'), newKey('other')]);
});
afterEach(() => {
  vi.useRealTimers();
});

const entity = (id: string, certificate: string, more = '') =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${id}"${more}><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor></IDPSSODescriptor></EntityDescriptor>`;
const group = (content: string, more = '') =>
  `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"${more}>${content}</EntitiesDescriptor>`;
const until = (seconds: number) => ` validUntil="${instant(seconds)}"`;

/** A reader of responses whose provider has published metadata, which a test replaces. */
function openWorld(first: string | Error) {
  const site = { document: first, now: at, fetched: 0, isSilent: false };
  const published = publishedMetadata(
    async () => {
      site.fetched += 1;
      if (site.isSilent) await new Promise(() => undefined);
      if (site.document instanceof Error) throw site.document;
      return new Response(site.document);
    },
    () => site.now,
  );
  const read = readerOf('', [], { publishedMetadata: published, now: () => at });
  const url = { useMetadataDescriptorUrl: 'true', metadataDescriptorUrl: 'https://idp.example/metadata' };
  const outcome = async (by: typeof key, settings: Record<string, string> = {}, issuer = ids.issuer) => {
    const named = `<saml:Issuer>${issuer}</saml:Issuer>`;
    const parts = { issuer: named, ownIssuer: named };
    const xml = responseXml(await signed(assertionXml(parts), 'ID_a', by), parts);
    return read(xml, { ...url, ...settings }).then(
      ({ id }) => id,
      (error: Error) => error.message.replace('the response is not accepted: ', ''),
    );
  };
  return { site, outcome };
}
const unnamed = { idpEntityId: '' };

describe('metadata that an identity provider publishes', () => {
  it('counts for the entity that the settings name, and for no other one', async () => {
    const several = group(
      entity('https://other.example', other.certificate) + group(entity(ids.issuer, key.certificate)),
    );
    const { outcome } = openWorld(several);
    expect(await outcome(key)).toBe('ann');
    expect(await outcome(other)).toBe('invalid_signature');
    expect(await outcome(other, unnamed, 'https://other.example')).toBe('the metadata describes several providers');
    expect(await outcome(key, { idpEntityId: 'https://third.example' })).toBe(
      'the metadata does not describe the provider',
    );
  });

  it('of one entity names the issuer of responses, if the settings do not', async () => {
    const { outcome } = openWorld(group(entity(ids.issuer, key.certificate)));
    expect(await outcome(key, unnamed)).toBe('ann');
    expect(await outcome(key, unnamed, 'https://other.example')).toBe('issuer');
  });

  it.each([
    ['the entity', (end: string) => entity(ids.issuer, key.certificate, end)],
    ['a group around it', (end: string) => group(group(entity(ids.issuer, key.certificate)), end)],
  ])('does not count after the end that it names: %s', async (_, document) => {
    expect(await openWorld(document(until(-1))).outcome(key)).toBe('the metadata has expired');
    expect(await openWorld(document(' validUntil="soon"')).outcome(key)).toBe('the metadata has expired');
    const { site, outcome } = openWorld(document(until(60)));
    expect(await outcome(key)).toBe('ann');
    site.now += minute;
    expect(await outcome(key)).toBe('the metadata has expired');
    site.document = document(until(3600));
    site.now += minute;
    expect(await outcome(key)).toBe('ann');
  });

  it('counts for a day while it cannot be fetched, which is tried less and less often', async () => {
    const { site, outcome } = openWorld(entity(ids.issuer, key.certificate));
    expect(await outcome(key)).toBe('ann');
    site.document = new Error('nobody answers');
    let tries = 0;
    for (let passed = 0; passed < 60; passed += 1) {
      site.now += minute;
      expect(await outcome(key)).toBe('ann');
      tries = site.fetched - 1;
    }
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(15);
    site.now += 24 * 60 * minute;
    expect(await outcome(key)).toBe('the metadata could not be fetched');
    site.document = entity(ids.issuer, key.certificate);
    site.now += 10 * minute;
    expect(await outcome(key)).toBe('ann');
  });

  it('is not fetched again at once after a failure', async () => {
    const { site, outcome } = openWorld(new Error('nobody answers'));
    for (let count = 0; count < 5; count += 1) expect(await outcome(key)).toBe('the metadata could not be fetched');
    expect(site.fetched).toBe(1);
    site.now += 10_000;
    await Promise.all([outcome(key), outcome(key)]);
    site.now += 10_000;
    await outcome(key);
    expect(site.fetched).toBe(2);
  });

  it('that withdraws the provider counts at once', async () => {
    const { site, outcome } = openWorld(entity(ids.issuer, key.certificate));
    expect(await outcome(key)).toBe('ann');
    site.document = entity('https://other.example', other.certificate);
    site.now += 11 * minute;
    expect(await outcome(key)).toBe('the metadata does not describe the provider');
    site.document = new Error('nobody answers');
    site.now += 11 * minute;
    expect(await outcome(key)).toBe('the metadata could not be fetched');
  });

  it('holds up a login for some seconds at most', async () => {
    const { site, outcome } = openWorld(entity(ids.issuer, key.certificate));
    expect(await outcome(key)).toBe('ann');
    site.isSilent = true;
    site.now += 11 * minute;
    vi.useFakeTimers();
    const late = outcome(key);
    const fresh = outcome(key, unnamed);
    await vi.waitFor(() => expect(site.fetched).toBe(3));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await late).toBe('ann');
    expect(await fresh).toBe('the metadata takes too long to fetch');
  });
});
