/**
 * The text of a GraphQL document with the types of its data and variables. Documents that GraphQL Code Generator
 * generates with `documentMode: 'string'` are such, too.
 */
export interface TypedDocument<Data, Variables> {
  toString(): string;
  /** Holds the types and never a value. */
  __apiType?: (variables: Variables) => Data;
}

/** The data of a document. */
export type DataOf<Document> = Document extends TypedDocument<infer Data, never> ? Data : never;

/** The variables of a document. */
export type VariablesOf<Document> = Document extends TypedDocument<unknown, infer Variables> ? Variables : never;
