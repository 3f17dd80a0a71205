import type { Step } from '../../services/realms/files/shape.js';
import type { RecordPlace } from './origins.js';

/** What is wrong with a key that would change the object it is copied to. */
export const prototypeKey = { name: '__proto__', message: 'The key `__proto__` is not allowed' } as const;

/** What a text holds, or what is wrong with it. */
export interface Parsed {
  value?: unknown;
  locate?: (record: RecordPlace) => void;
  /** numbers and switches whose texts are not those that JSON would have */
  written?: { container: object; key: Step; text: string }[];
  /** `isSyntax`: whether the line itself helps to understand the error */
  errors: { offset: number; message: string; isSyntax?: boolean }[];
}
