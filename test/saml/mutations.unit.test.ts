import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { acceptedAlgorithms, algorithmNamed } from '../../src/services/saml/algorithms.js';
import { parseMessage, SamlFault } from '../../src/services/saml/document.js';
import { signElement } from '../../src/services/saml/sign.js';
import { verifiedMessage } from '../../src/services/saml/verify.js';
import { randomNumbers } from '../support/random.js';
import { isThorough } from '../support/sample.js';

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
const assertion = 'urn:oasis:names:tc:SAML:2.0:assertion';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const request = `<samlp:AuthnRequest xmlns:samlp="${protocol}" xmlns:saml="${assertion}" ID="id-1" Version="2.0" Destination="https://id.example/" AssertionConsumerServiceURL="https://sp.example/acs"><saml:Issuer>sp</saml:Issuer><samlp:NameIDPolicy Format="email" AllowCreate="true"/></samlp:AuthnRequest>`;

/** Whole numbers from a seed, so that a failure can be repeated. */
function numbersFrom(seed: number): (below: number) => number {
  const next = randomNumbers(seed);
  return (below) => Math.floor(next() * below);
}

/** One random change: of a character, of a tag that is repeated, moved, or left out, or of markup that is put in. */
function mutated(xml: string, below: (limit: number) => number): string {
  const tags = [...xml.matchAll(/<[^>]*>/g)].map(({ index, 0: tag }) => ({ index, tag }));
  const tag = () => tags[below(tags.length)] ?? { index: 0, tag: '' };
  const at = below(xml.length);
  const put = (where: number, text: string, skipped = 0) => xml.slice(0, where) + text + xml.slice(where + skipped);
  const element = /<(ds:\w+|saml:\w+|samlp:NameIDPolicy)[^>]*?(?:\/>|>[\s\S]*?<\/\1>)/g;
  const elements = [...xml.matchAll(element)];
  const one = elements[below(elements.length)];
  const pieces = [
    '<!-- -->',
    '<x/>',
    '&#65;',
    '&amp;',
    '<![CDATA[a]]>',
    '<?x?>',
    ' ',
    '\n',
    'ID="id-1" ',
    'a',
    '\u00e9',
  ];
  switch (below(7)) {
    case 0:
      return put(at, String.fromCharCode(32 + below(95)), 1);
    case 1:
      return put(at, '', 1 + below(3));
    case 2:
      return put(at, pieces[below(pieces.length)] ?? '');
    case 3:
      return put(tag().index, tag().tag);
    case 4:
      return put(tag().index, one?.[0] ?? '');
    case 5:
      return put(one?.index ?? 0, '', one?.[0].length ?? 0);
    default:
      return put(tag().index, request.replace('sp.example', 'evil.example').replace('id-1', `id-${below(3)}`));
  }
}

it('a message that was changed is refused, or says what was signed', async () => {
  const signing = {
    key: privateKey,
    certificate: undefined,
    kid: '',
    keyName: 'key',
    by: algorithmNamed(undefined),
    canonicalization: undefined,
  };
  const good = await signElement(request, 'id-1', signing);
  const accepted = acceptedAlgorithms(undefined);
  const read = async (xml: string): Promise<string> => {
    const root = await verifiedMessage(xml, await parseMessage(xml), publicKey, accepted);
    return root.toString();
  };
  const meant = await read(good);
  expect(meant).toContain('https://sp.example/acs');
  const count = isThorough ? 10_000 : 300;
  let refused = 0;
  for (let seed = 0; seed < count; seed += 1) {
    const below = numbersFrom(seed);
    let xml = good;
    for (let changes = 1 + below(3); changes > 0; changes -= 1) xml = mutated(xml, below);
    try {
      expect(await read(xml), `seed ${seed}`).toBe(meant);
    } catch (fault) {
      if (!(fault instanceof SamlFault)) throw fault;
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(count / 2);
}, 300_000);
