/** The content of a variable that is a file. */
export class FuzzFile {
  constructor(readonly content: string) {}
}

export const hostileTexts = [
  '',
  ' ',
  '0',
  'null',
  '../../x',
  "' OR 1=1 --",
  '%_\\',
  '*',
  '"a b"',
  'NUL\0inside',
  '\ud800 half a pair',
  'İ𝔘😀‮ل',
  '{x}} {{y}',
  '<b>&amp;</b>',
  '\r\nX: y',
  'https://[bad',
  '2026-13-45',
  '1e309',
  '[]{}()(?<',
  // names that every object inherits
  'constructor',
  '__proto__',
  'x'.repeat(3000),
];
export const hostileNumbers = [
  -2147483648,
  -1,
  0,
  500,
  501,
  1000,
  1234567890,
  2147483646,
  2147483647,
  2147483648,
  2 ** 53,
];
export const hostileValues = [null, true, 1e308, '', 'a', [], {}, [null], { a: null }, { a: { b: [1, 'c'] } }];
export const goodTimes = [
  '2026-01-01T00:00:00Z',
  '1969-12-31T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
];
/** Documents that some mutations take: more than nothing, and less than they want. */
export const documents = [
  '{"realm":"fuzz-file","enabled":true,"roles":{"realm":[{"name":"a"}]}}',
  '{"ifResourceExists":"SKIP","roles":{"realm":[{"name":"from-a-file"}]},"users":[{"username":"from-a-file"}]}',
  '{"hello":"Servus","bye":"Pfiat di"}',
  '{"issuer":"https://idp.example","token_endpoint":"https://idp.example/token"}',
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"><IDPSSODescriptor/></EntityDescriptor>',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  '{"client_name":"from a file","redirect_uris":["https://file.example/*"]}',
];
