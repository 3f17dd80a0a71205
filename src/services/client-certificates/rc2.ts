// RC2 (RFC 2268): certificates of older PKCS #12 stores are encrypted with it, and OpenSSL 3 no longer supports it. It
// is only used for decryption.

/** PITABLE, RFC 2268 section 2. */
const substitution = Buffer.from(
  [
    'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82',
    '54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb6266fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7',
    '08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731',
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad',
  ].join(''),
  'hex',
);
const keyWords = 64;
const blockLength = 8;
const shifts = [1, 2, 3, 5] as const;
const word = 0xffff;

const at = (list: ArrayLike<number>, index: number): number => list[index] ?? 0;

/** The 64 words of an expanded key whose effective length is its full length, RFC 2268 section 2. */
function expandedKey(key: Buffer): Uint16Array {
  const bytes = Buffer.alloc(2 * keyWords);
  key.copy(bytes);
  for (let index = key.length; index < bytes.length; index += 1)
    bytes[index] = at(substitution, (at(bytes, index - 1) + at(bytes, index - key.length)) & 0xff);
  bytes[bytes.length - key.length] = at(substitution, at(bytes, bytes.length - key.length));
  for (let index = bytes.length - key.length - 1; index >= 0; index -= 1)
    bytes[index] = at(substitution, at(bytes, index + 1) ^ at(bytes, index + key.length));
  return Uint16Array.from({ length: keyWords }, (_, index) => bytes.readUInt16LE(2 * index));
}

/** Decrypts one block in place, RFC 2268 section 4. */
function decryptBlock(words: Uint16Array, key: Uint16Array): void {
  let next = keyWords - 1;
  const mix = (): void => {
    for (let index = 3; index >= 0; index -= 1) {
      const shift = at(shifts, index);
      const rotated = (at(words, index) >>> shift) | (at(words, index) << (16 - shift));
      const [one, two, three] = [at(words, (index + 3) % 4), at(words, (index + 2) % 4), at(words, (index + 1) % 4)];
      words[index] = (rotated - at(key, next) - (one & two) - (~one & three)) & word;
      next -= 1;
    }
  };
  const mash = (): void => {
    for (let index = 3; index >= 0; index -= 1)
      words[index] = (at(words, index) - at(key, at(words, (index + 3) % 4) & 63)) & word;
  };
  for (const rounds of [5, 6, 5]) {
    for (let round = 0; round < rounds; round += 1) mix();
    if (next >= 0) mash();
  }
}

/** The text that was encrypted with RC2 in CBC mode and padded (PKCS #7). Undefined if the padding is wrong, as with another key. */
export function decryptRc2(key: Buffer, iv: Buffer, encrypted: Buffer): Buffer | undefined {
  if (encrypted.length === 0 || encrypted.length % blockLength !== 0) return undefined;
  const expanded = expandedKey(key);
  const plain = Buffer.alloc(encrypted.length);
  for (let from = 0; from < encrypted.length; from += blockLength) {
    const before = from === 0 ? iv : encrypted.subarray(from - blockLength, from);
    const words = Uint16Array.from({ length: 4 }, (_, index) => encrypted.readUInt16LE(from + 2 * index));
    decryptBlock(words, expanded);
    for (let index = 0; index < 4; index += 1)
      plain.writeUInt16LE(at(words, index) ^ before.readUInt16LE(2 * index), from + 2 * index);
  }
  const padding = at(plain, plain.length - 1);
  const isPadded = padding >= 1 && padding <= blockLength && plain.subarray(-padding).every((one) => one === padding);
  return isPadded ? plain.subarray(0, -padding) : undefined;
}
