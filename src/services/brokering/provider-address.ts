/** Where a browser is sent: the address, or the form that it posts there. */
export interface ProviderAddress {
  address: string;
  form?: Record<string, string>;
}

/** An answer that a browser brings from a provider. */
export interface ProviderAnswer {
  parameters: URLSearchParams;
  /** the query as it was sent; undefined for a form. Signatures are those of its very characters */
  query?: string | undefined;
}
