import { type DocumentNode, GraphQLError, Lexer, type ParseOptions, parse, Source, TokenKind, visit } from 'graphql';
import { limit } from '../../config/limits.js';
import { limits } from '../core/limits.js';
import { codeOf } from '../core/user-errors.js';

/** Limits of a document. All are checked before validation, whose work grows with the square of some of them. */
export interface DocumentLimits {
  /** characters of the text */
  readonly characters: number;
  /** lexical tokens */
  readonly tokens: number;
  /** brackets within brackets: selections, arguments, values */
  readonly nesting: number;
  /** fields written in the document */
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
  readonly operations: number;
  readonly fragments: number;
  readonly spreads: number;
}

const ofDocument = (what: string, most: number, unit: string): number =>
  limit('GraphQL', what, most, unit, '`TOO_COSTLY`, before validation');

/** Limits of a document of a caller with a token. */
export const documentLimits: DocumentLimits = {
  characters: ofDocument('Text of a document', 256 * 1024, 'characters'),
  tokens: limits.tokens,
  nesting: ofDocument('Brackets within each other in a document', 64, 'levels'),
  fields: ofDocument('Fields of a document', 1000, 'fields'),
  aliases: ofDocument('Aliases of a document', 600, 'aliases'),
  directives: ofDocument('Directives of a document', 100, 'directives'),
  operations: ofDocument('Operations of a document', 50, 'operations'),
  fragments: ofDocument('Fragments of a document', 100, 'fragments'),
  spreads: ofDocument('Fragment spreads of a document', 300, 'spreads'),
};

/** Limits of a document of a caller without a token. The introspection query of graphql-js has 184 tokens and 73 fields. */
export const anonymousDocumentLimits: DocumentLimits = {
  characters: ofDocument('Text of a document without a token', 15 * 1024, 'characters'),
  tokens: ofDocument('Lexical tokens of a document without a token', 600, 'tokens'),
  nesting: ofDocument('Brackets within each other in a document without a token', 32, 'levels'),
  fields: ofDocument('Fields of a document without a token', 200, 'fields'),
  aliases: ofDocument('Aliases of a document without a token', 10, 'aliases'),
  directives: ofDocument('Directives of a document without a token', 10, 'directives'),
  operations: ofDocument('Operations of a document without a token', 1, 'operation'),
  fragments: ofDocument('Fragments of a document without a token', 10, 'fragments'),
  spreads: ofDocument('Fragment spreads of a document without a token', 30, 'spreads'),
};

/** The error of a request that is refused because of its size; `details` go into its extensions. */
export const tooCostly = (message: string, details: object = {}): GraphQLError =>
  new GraphQLError(message, { extensions: { code: codeOf('tooCostly'), ...details, http: { status: 400 } } });

const over = (name: string, limit: number): GraphQLError => tooCostly(`The document has more than ${limit} ${name}`);

/** Parses a document. Throws a GraphQLError if it is malformed or over a limit. */
export function parseWithin(text: string | Source, limits: DocumentLimits, options: ParseOptions = {}): DocumentNode {
  const source = typeof text === 'string' ? new Source(text) : text;
  if (source.body.length > limits.characters) throw over('characters', limits.characters);
  checkTokens(source, limits);
  const document = parse(source, options);
  checkNodes(document, limits);
  return document;
}

const opening = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** The parser is recursive, so the nesting is checked before it runs. */
function checkTokens(source: Source, { tokens, nesting }: DocumentLimits): void {
  const lexer = new Lexer(source);
  let count = 0;
  let depth = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    count += 1;
    if (count > tokens) throw over('tokens', tokens);
    if (opening.has(token.kind)) depth += 1;
    else if (closing.has(token.kind)) depth -= 1;
    if (depth > nesting) throw over('levels of brackets', nesting);
  }
}

type Counted = Exclude<keyof DocumentLimits, 'characters' | 'tokens' | 'nesting'>;

function checkNodes(document: DocumentNode, limits: DocumentLimits): void {
  const counts: Record<Counted, number> = {
    fields: 0,
    aliases: 0,
    directives: 0,
    operations: 0,
    fragments: 0,
    spreads: 0,
  };
  const add = (name: Counted): void => {
    counts[name] += 1;
    if (counts[name] > limits[name]) throw over(name, limits[name]);
  };
  visit(document, {
    Field(node) {
      add('fields');
      if (node.alias) add('aliases');
    },
    Directive: () => add('directives'),
    OperationDefinition: () => add('operations'),
    FragmentDefinition: () => add('fragments'),
    FragmentSpread: () => add('spreads'),
  });
}
