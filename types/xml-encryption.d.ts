// xml-encryption has no types of its own, and those of others are for an older version.

interface EncryptOptions {
  rsa_pub: string;
  pem: string;
  encryptionAlgorithm: string;
  keyEncryptionAlgorithm: string;
  keyEncryptionDigest?: string;
  keyEncryptionMgf?: string;
  disallowEncryptionWithInsecureAlgorithm?: boolean;
  warnInsecureAlgorithm?: boolean;
}

declare const encryption: {
  encrypt(content: string, options: EncryptOptions, callback: (error: Error | null, result: string) => void): void;
  decrypt(
    xml: string | Element,
    options: { key: string },
    callback: (error: Error | null, result: string) => void,
  ): void;
};
export default encryption;
