/** The addresses of a client. */
export interface AddressFields {
  rootUrl?: string | undefined;
  baseUrl?: string | undefined;
  adminUrl?: string | undefined;
  redirectUris?: string[] | undefined;
  webOrigins?: string[] | undefined;
  attributes?: Record<string, string> | undefined;
}

/** Attributes that hold an address, or several with `##` between them. */
const addresses = [
  'jwks.url',
  'request.uris',
  'post.logout.redirect.uris',
  'backchannel.logout.url',
  'sectorIdentifierUri',
  'ciba.backchannel.client.notification.endpoint',
];

/** The first field of a client with an address that is not of https; for redirects a wildcard is not either. */
export function insecureField({ attributes, ...client }: AddressFields): string | undefined {
  const root = client.rootUrl ?? '';
  const isSecure = (address: string): boolean =>
    ['', '+', '-'].includes(address) ||
    (address.startsWith('/') ? root === '' || root.startsWith('https://') : /^https:/i.test(address));
  if (!isSecure(root)) return 'rootUrl';
  for (const field of ['adminUrl', 'baseUrl'] as const) if (!isSecure(client[field] ?? '')) return field;
  if (client.webOrigins?.some((origin) => origin !== '+' && !isSecure(origin))) return 'webOrigins';
  if (client.redirectUris?.some((uri) => !isSecure(uri) || uri.includes('*'))) return 'redirectUris';
  return addresses.find((name) => (attributes?.[name] ?? '').split('##').some((address) => !isSecure(address)));
}
