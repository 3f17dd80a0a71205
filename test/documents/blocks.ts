import { readFileSync } from 'node:fs';
import { marked, type Token, type Tokens } from 'marked';

/** A block of code in a document. */
export interface Block {
  /** the document, as a path within the project */
  page: string;
  line: number;
  language: string;
  text: string;
  /** what the document says that it prints or answers: the block `text`, or `json` of a GraphQL block, that follows */
  output?: string;
  /** why it is not run */
  reason?: string;
  /** how it is run, by the comment before it */
  how: readonly How[];
}

const hows = ['on sqlite', 'on postgresql', 'starts the service', 'fails'] as const;
/** `needs …`: skipped where the command is not installed. */
type How = (typeof hows)[number] | `needs ${string}`;

/**
 * The blocks of a document, of these languages if any are given. The comment before a block states how it is run: `<!-- run: on sqlite -->`, or
 * `<!-- not run: needs a cluster -->`. A block without a comment is run.
 */
export function blocksOf(page: string, ...languages: string[]): Block[] {
  const text = readFileSync(page, 'utf8');
  const found: Block[] = [];
  let from = 0;
  const walk = (tokens: Token[]): void => {
    const visible = tokens.filter(({ type }) => type !== 'space');
    for (const [at, token] of visible.entries()) {
      if (isCode(token)) {
        from = text.indexOf(token.text.split('\n', 1)[0] ?? '', from);
        const next = visible[at + 1];
        if (languages.length === 0 || languages.includes(languageOf(token))) {
          const line = text.slice(0, from).split('\n').length;
          const answer = languageOf(token) === 'graphql' ? 'json' : 'text';
          const output = next && isCode(next) && languageOf(next) === answer ? { output: next.text } : {};
          const block = { page, line, language: languageOf(token), text: token.text, ...output };
          found.push({ ...block, ...instructionOf(visible[at - 1], block) });
        }
      }
      if ('tokens' in token && token.tokens) walk(token.tokens);
      if (token.type === 'list') for (const item of (token as Tokens.List).items) walk(item.tokens);
    }
  };
  walk(marked.lexer(text));
  return found;
}

const isCode = (token: Token): token is Tokens.Code => token.type === 'code';
const languageOf = ({ lang }: Tokens.Code): string => lang?.split(' ')[0] ?? '';

function instructionOf(
  token: Token | undefined,
  { page, line }: { page: string; line: number },
): Pick<Block, 'reason' | 'how'> {
  const comment = token?.type === 'html' ? /^<!--\s*(not run|run): (.+?)\s*-->/s.exec(token.raw) : null;
  if (!comment) return { how: [] };
  const [, kind, words = ''] = comment;
  if (kind === 'not run') return { reason: words, how: [] };
  const how = words.split(', ');
  const unknown = how.filter((word) => !word.startsWith('needs ') && !(hows as readonly string[]).includes(word));
  if (unknown.length > 0) throw new Error(`${page}:${line}: unknown in the comment: ${unknown.join(', ')}`);
  return { how: how as How[] };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches what a document says is printed, with any text in place of `…`, and any number of lines in place of a line `…`. */
export const printed = (output: string): RegExp =>
  new RegExp(`^${output.trim().replaceAll('\n…\n', '\n…').split('…').map(escaped).join('[\\s\\S]*')}$`);
