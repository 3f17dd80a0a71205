import { type Fault, invalid } from '../core/refusal.js';
import { contentEncryptions, keyEncryptions } from '../keys/jwe.js';
import { isSignatureAlgorithm } from '../keys/jws.js';
import { pairwiseFault, pairwiseMapper } from '../protocol-mappers/pairwise.js';
import type { ClientInput } from './representation.js';

/** What is looked at, in the form of the representation. */
type Checked = Pick<ClientInput, 'rootUrl' | 'baseUrl' | 'redirectUris' | 'attributes' | 'protocolMappers'>;

type Flaw = 'invalid' | 'scheme' | 'fragment';

// RFC 3986, with the characters beyond ASCII that the reference server lets pass
const legal = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2}|[^\p{ASCII}\p{Z}\p{C}])*$/u;
const schemePattern = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const urlSchemes = new Set(['http', 'https', 'ftp', 'file', 'jar', 'mailto']);
const forbiddenSchemes = new Set(['data', 'javascript']);

/** What is wrong with an address. Only a URL needs a scheme that leads somewhere. */
function flawsOf(address: string, isUrl: boolean, withFragment: boolean): Flaw[] {
  if (address === '') return [];
  const scheme = schemePattern.exec(address)?.[1];
  const rest = scheme === undefined ? address : address.slice(scheme.length + 1);
  const before = address.split(/[/?#]/, 1)[0] ?? '';
  const wellFormed =
    legal.test(address) &&
    address.split('#').length <= 2 &&
    rest !== '' &&
    rest !== '//' &&
    (scheme !== undefined || !before.includes(':'));
  if (!wellFormed) return ['invalid'];
  const flaws: Flaw[] = [];
  if (scheme !== undefined && forbiddenSchemes.has(scheme)) flaws.push('scheme');
  if (!withFragment && address.includes('#')) flaws.push('fragment');
  if (isUrl && flaws.length === 0 && !(scheme !== undefined && urlSchemes.has(scheme))) flaws.push('invalid');
  return flaws;
}

const texts = (article: string, kind: string): Record<Flaw, string> => ({
  invalid: `${article} is not a valid ${kind}`,
  scheme: `${article} uses an illegal scheme`,
  fragment: `${article} must not contain an ${kind} fragment`,
});

const redirectTexts = {
  ...texts('A redirect URI', 'URI'),
  fragment: 'Redirect URIs must not contain an URI fragment',
};

const serverAddress = 'https://localhost/auth';

const resolvedRoot = (rootUrl: string): string =>
  rootUrl === '$' + '{authBaseUrl}' || rootUrl === '$' + '{authAdminUrl}' ? serverAddress : rootUrl;

/** A path is one on the server, or below the root of the client. */
const resolved = (address: string, root: string): string =>
  address.startsWith('/') ? (root || 'https://localhost') + address : address;

/** Refuses a client whose addresses are malformed or dangerous, with all that is wrong in one text and as faults with their places. */
export function checkClient(client: Checked): void {
  const root = resolvedRoot(client.rootUrl ?? '');
  const found: { field: string; text: string }[] = [];
  const look = (field: string, flaws: Flaw[], text: Record<Flaw, string>) =>
    found.push(...flaws.map((flaw) => ({ field, text: text[flaw] })));
  look('baseUrl', flawsOf(resolved(client.baseUrl ?? '', ''), true, true), texts('Base URL', 'URL'));
  look('rootUrl', flawsOf(root, true, false), texts('Root URL', 'URL'));
  for (const [attribute, name, resolve] of logoutAddresses) {
    const address = client.attributes?.[attribute] ?? '';
    look(`attributes.${attribute}`, flawsOf(resolve(address), true, true), texts(name, 'URL'));
  }
  for (const [at, uri] of (client.redirectUris ?? []).entries())
    look(`redirectUris.${at}`, flawsOf(resolved(uri, root), false, false), redirectTexts);
  found.push(...algorithmFaults(client.attributes ?? {}));
  const [first] = found;
  if (first) {
    const message = [...new Set(found.map(({ text }) => text))].join('; ');
    const faults = found.map(({ field, text }) => ({ path: field.split('.'), message: text }));
    throw refused(message, first.field.replace(/\.\d+$/, ''), faults);
  }
  checkPairwise(client, root);
}

/** Client settings with logout addresses, with their names in refusals. */
const logoutAddresses = [
  ['backchannel.logout.url', 'Backchannel logout URL', (address: string) => resolved(address, '')],
  // the browser loads it, so that it stands for itself
  ['frontchannel.logout.url', 'Front-channel logout URL', (address: string) => address],
] as const;

const allows = (known: readonly string[], ...others: string[]) => {
  return (name: string): boolean => known.includes(name) || others.includes(name);
};

/** Client settings with algorithms, with the algorithms that they allow. An empty setting is none. */
const algorithmSettings: readonly [kind: string, isKnown: (name: string) => boolean, ...names: string[]][] = [
  ['Signature', isSignatureAlgorithm, 'access.token.signed.response.alg', 'id.token.signed.response.alg'],
  ['Signature', isSignatureAlgorithm, 'authorization.signed.response.alg'],
  // as written for answers that are not signed
  ['Signature', (name) => name === 'none' || isSignatureAlgorithm(name), 'user.info.response.signature.alg'],
  [
    'Encryption',
    allows(keyEncryptions),
    'id.token.encrypted.response.alg',
    'user.info.encrypted.response.alg',
    'authorization.encrypted.response.alg',
  ],
  [
    'Content encryption',
    allows(contentEncryptions),
    'id.token.encrypted.response.enc',
    'user.info.encrypted.response.enc',
    'authorization.encrypted.response.enc',
  ],
  ['Encryption', allows(keyEncryptions, 'any'), 'request.object.encryption.alg'],
  ['Content encryption', allows(contentEncryptions, 'any'), 'request.object.encryption.enc'],
];

const algorithmFaults = (attributes: Record<string, string>): { field: string; text: string }[] =>
  algorithmSettings.flatMap(([kind, isKnown, ...names]) =>
    names.flatMap((name) => {
      const algorithm = attributes[name] ?? '';
      if (algorithm === '' || isKnown(algorithm)) return [];
      return [{ field: `attributes.${name}`, text: `${kind} algorithm "${algorithm}" is not supported` }];
    }),
  );

const refused = (message: string, field: string, faults?: readonly Fault[]) =>
  invalid(message, field, {
    body: { error: 'invalid_input', error_description: message },
    ...(faults && { faults }),
  });

/** Pairwise subjects have to be possible with the redirect URIs. */
function checkPairwise({ protocolMappers, redirectUris }: Checked, root: string): void {
  for (const { protocolMapper, config } of protocolMappers ?? []) {
    if (protocolMapper !== pairwiseMapper) continue;
    const fault = pairwiseFault(config?.sectorIdentifierUri ?? '', redirectUris ?? [], root);
    if (fault) throw refused(fault.message, fault.of === 'sector' ? 'protocolMappers' : 'redirectUris');
  }
}
