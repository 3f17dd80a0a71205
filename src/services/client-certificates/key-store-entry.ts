/** An entry of a key store. */
export interface KeyStoreEntry {
  alias: string;
  /** PKCS #8 in DER */
  privateKey?: Buffer;
  /** DER */
  certificate?: Buffer;
}

/** The passwords of a key store and of one of its entries. */
export interface KeyStoreAccess {
  alias: string;
  storePassword: string;
  keyPassword: string;
}
