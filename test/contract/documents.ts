import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

const read = (name: string): unknown =>
  JSON.parse(brotliDecompressSync(readFileSync(new URL(name, import.meta.url))).toString('utf8'));

/** A class of the reference, recorded from version 15.0.2. */
export interface RecordedClass {
  /** types by the names of the fields */
  fields: Record<string, string>;
  onlyInAnswers?: string[];
  onlyInRequests?: string[];
  takesAnyField?: boolean;
}

/** What the classes of the reference read and write. */
export const representations = read('representations.json.br') as Record<string, RecordedClass>;

const documents = read('documents.json.br') as {
  operations: { method: string; path: string }[];
  resources: Record<string, string[]>;
};

/** The operations that the documents of the contract name. */
export const documentedOperations = documents.operations;

/** The fields that the documents of the contract name, by resource. */
export const documentedFields = documents.resources;
