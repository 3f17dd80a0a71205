import { Refusal } from '../services/core/refusal.js';

/** A part of a form, RFC 7578. */
export interface FormPart {
  name: string;
  /** name that the sender gave a file, without folders; undefined for a text, and for files of some senders */
  fileName: string | undefined;
  /** the content, to be read before the next part */
  content: AsyncIterable<Buffer>;
}

const lineEnd = '\r\n';
/** Most bytes of the header lines of a part, and between a delimiter and the end of its line. */
const mostHeaderBytes = 16 * 1024;

/** The refusal of a form that cannot be read. */
export const malformedForm = (message = 'The body must be a valid multipart form') =>
  new Refusal('malformed', message, { field: 'body' });

/** Pieces of a body, of which what has not been read yet is kept. */
class Pieces {
  readonly #pieces: AsyncIterator<Buffer>;
  // the first delimiter has no line before it
  #rest: Buffer = Buffer.from(lineEnd);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Everything before the next occurrence of a text, which is left out. Throws where the body ends before it. */
  async *until(end: string): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#rest.indexOf(end);
      // the last bytes may be the begin of the text
      const known = at < 0 ? Math.max(0, this.#rest.length - end.length + 1) : at;
      const found = this.#rest.subarray(0, known);
      this.#rest = this.#rest.subarray(at < 0 ? known : at + end.length);
      if (found.length > 0) yield found;
      if (at >= 0) return;
      if (!(await this.#more())) throw malformedForm();
    }
  }

  /** What stands before the next occurrence of a text, as text. */
  async textUntil(end: string): Promise<string> {
    const found: Buffer[] = [];
    let size = 0;
    for await (const piece of this.until(end)) {
      size += piece.length;
      if (size > mostHeaderBytes) throw malformedForm('The header of a part of the form is too long');
      found.push(piece);
    }
    return Buffer.concat(found).toString('utf8');
  }

  /** Whether a text comes next. */
  async startsWith(text: string): Promise<boolean> {
    while (this.#rest.length < text.length) if (!(await this.#more())) return false;
    return this.#rest.subarray(0, text.length).toString('latin1') === text;
  }

  /** Leaves out a text where it comes next. Returns whether it does. */
  async skip(text: string): Promise<boolean> {
    const found = await this.startsWith(text);
    if (found) this.#rest = this.#rest.subarray(text.length);
    return found;
  }

  /** Reads what is left. */
  async drain(): Promise<void> {
    while (await this.#more()) this.#rest = Buffer.alloc(0);
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }
}

/**
 * The parts of a form, in their order. Throws `malformed` for a body that is none, or that is cut. The body is read to its
 * end even where the reader of the parts stops, so that there is an answer, and the connection can be used again.
 */
export async function* formParts(body: AsyncIterable<Buffer>, contentType: string): AsyncGenerator<FormPart> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformedForm();
  const delimiter = `${lineEnd}--${boundary}`;
  const pieces = new Pieces(body);
  try {
    for await (const _ of pieces.until(delimiter));
    while (!(await pieces.startsWith('--'))) {
      if ((await pieces.textUntil(lineEnd)).trim() !== '') throw malformedForm();
      const isBare = await pieces.skip(lineEnd);
      const part = isBare ? undefined : described(await pieces.textUntil(lineEnd + lineEnd));
      const content = pieces.until(delimiter);
      if (part) yield { ...part, content };
      for await (const _ of content);
    }
  } finally {
    await pieces.drain();
  }
}

/** The names of a part by its header; undefined for a part that is no part of a form. */
function described(header: string): Pick<FormPart, 'name' | 'fileName'> | undefined {
  const value = /^content-disposition:\s*form-data\s*(;.*)?$/im.exec(header)?.[1] ?? '';
  const name = parameter(value, 'name');
  if (name === undefined) return undefined;
  return { name, fileName: parameter(value, 'filename')?.replace(/^.*[/\\]/, '') };
}

function parameter(value: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]*))`, 'i').exec(value) ?? [];
  return quoted?.replace(/\\(["\\])/g, '$1').replace(/%22/g, '"') ?? plain;
}
