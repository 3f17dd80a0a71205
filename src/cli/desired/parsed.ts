import type { Step } from '../../services/realms/files/shape.js';
import type { RecordPlace } from './origins.js';

/** The fault of a key that would change the prototype of the object it is copied to. */
export const prototypeKey = { name: '__proto__', message: 'The key `__proto__` is not allowed' } as const;

/** The value of a text, or its faults. */
export interface Parsed {
  value?: unknown;
  locate?: (record: RecordPlace) => void;
  /** numbers and switches that are written differently than in JSON */
  written?: { container: object; key: Step; text: string }[];
  /** `isSyntax`: whether the line itself helps to understand the error */
  errors: { offset: number; message: string; isSyntax?: boolean }[];
}
