import { pbkdf2Sync } from 'node:crypto';
import type { Derivation } from './derive.js';

// What the threads of derive.ts do.

/** The key of PBKDF2 (RFC 8018 section 5.2). */
export default ({ value, salt, iterations, length, digest }: Derivation): Uint8Array =>
  pbkdf2Sync(value, salt, iterations, length, digest);
