/** What a key store has under an alias. */
export interface KeyStoreEntry {
  alias: string;
  /** PKCS #8 in DER */
  privateKey?: Buffer;
  /** DER */
  certificate?: Buffer;
}

/** What opens a key store and one of its entries. */
export interface KeyStoreAccess {
  alias: string;
  storePassword: string;
  keyPassword: string;
}
