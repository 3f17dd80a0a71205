import { pbkdf2Sync } from 'node:crypto';
import type { Derivation } from './derive.js';

// The worker threads of derive.ts.

/** Maximum bytes of a password that bcrypt uses; implementations ignore the rest. */
const bcryptBytes = 72;

/** The key of PBKDF2 (RFC 8018 section 5.2) or Argon2 (RFC 9106); for bcrypt one byte: whether the password is that of the hash. */
export default async (derivation: Derivation): Promise<Uint8Array> => {
  switch (derivation.kind) {
    case 'pbkdf2': {
      const { value, salt, iterations, length, digest } = derivation;
      return pbkdf2Sync(value, salt, iterations, length, digest);
    }
    case 'argon2': {
      const { value, salt, iterations, memory, parallelism, length, type } = derivation;
      const { argon2d, argon2i, argon2id } = await import('hash-wasm');
      const derive = { d: argon2d, i: argon2i, id: argon2id }[type];
      const settings = {
        iterations,
        parallelism,
        memorySize: memory,
        hashLength: length,
        outputType: 'binary',
      } as const;
      return derive({ password: value, salt, ...settings });
    }
    case 'bcrypt': {
      const { bcryptVerify } = await import('hash-wasm');
      const password = Buffer.from(derivation.value).subarray(0, bcryptBytes);
      return Uint8Array.of(Number(await bcryptVerify({ password, hash: derivation.hash })));
    }
  }
};
