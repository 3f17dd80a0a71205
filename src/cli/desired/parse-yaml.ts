import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseAllDocuments,
  type Scalar,
} from 'yaml';
import type { Step } from '../../services/realms/files/shape.js';
import type { RecordPlace } from './origins.js';
import { type Parsed, prototypeKey } from './parsed.js';

/** Maximum values that aliases may repeat: a few nested aliases could otherwise stand for billions. */
const mostRepeated = 10_000;

/** Options with which every YAML file is read: YAML 1.2, in which `no` and `on` are texts. */
export const yamlOptions = {
  version: '1.2',
  schema: 'core',
  merge: false,
  prettyErrors: false,
  logLevel: 'silent',
  // the parser compares each key with all others
  uniqueKeys: false,
} as const;

/** Reads a YAML text: one document, without tags. */
export function parseYaml(text: string): Parsed {
  const documents = parseAllDocuments(text, yamlOptions);
  if (!Array.isArray(documents)) return { value: undefined, locate: () => undefined, errors: [] };
  const [first, second] = documents;
  // the parser is recursive
  if (documents.some(({ errors }) => errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION'))) throw new RangeError();
  const syntax = documents.flatMap((document) =>
    document.errors.map(({ pos, message }) => ({
      offset: pos[0],
      message: `YAML: ${withoutContent(message)}`,
      isSyntax: true,
    })),
  );
  if (syntax.length > 0 || !first) return { errors: withReferencesQuoted(text, syntax) };
  if (second)
    return {
      errors: [{ offset: second.range[0], message: 'A file must have one YAML document, without `---` in it' }],
    };
  return convert(first.contents);
}

/** A value as JSON has it, with the places of its parts. */
function convert(contents: Node | null): Parsed {
  const errors: Parsed['errors'] = [];
  const places: Parameters<RecordPlace>[] = [];
  const written: NonNullable<Parsed['written']> = [];
  // the parser looks for the anchor of each alias in the whole document
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  let repeated = 0;
  const fail = (offset: number, message: string): undefined => void errors.push({ offset, message });

  const read = (node: Node | null | undefined, at: number, within: ReadonlySet<Node>): unknown => {
    if (within.size > 0 && ++repeated > mostRepeated) {
      if (repeated === mostRepeated + 1) fail(at, `Aliases must repeat at most ${mostRepeated} values`);
      return undefined;
    }
    if (!node) return null;
    if (within.size === 0) noteAnchor(node);
    const offset = (node as ParsedNode).range?.[0] ?? at;
    if (node.tag !== undefined && isTagged(node)) return fail(offset, 'Tags such as `!secret` are not supported');
    if (isAlias(node)) {
      const target = targets.get(node);
      if (!target) return fail(offset, `The anchor \`${node.source}\` is not defined before this alias`);
      if (within.has(target)) return fail(offset, `The alias \`${node.source}\` contains itself`);
      return read(target, offset, new Set([...within, target]));
    }
    if (isScalar(node)) return scalar(node, offset);
    if (isSeq(node)) {
      const offsets = new Map<Step, number>();
      const list: unknown[] = [];
      for (const [index, item] of node.items.entries()) {
        offsets.set(index, (item as ParsedNode).range?.[0] ?? offset);
        list.push(read(item as Node, offset, within));
        noteWritten(list, index, item);
      }
      places.push([list, offset, offsets]);
      return list;
    }
    return isMap(node) ? mapOf(node.items as { key: Node; value: Node | null }[], offset, within) : undefined;
  };

  /** An alias stands for the last node with the anchor before it, wherever the alias is repeated. */
  const noteAnchor = (node: Node): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target) targets.set(node, target);
    } else if ('anchor' in node && node.anchor) anchors.set(node.anchor, node);
  };

  const mapOf = (pairs: { key: Node; value: Node | null }[], offset: number, within: ReadonlySet<Node>): unknown => {
    const offsets = new Map<Step, number>();
    const map: Record<string, unknown> = {};
    for (const { key, value } of pairs) {
      const at = (key as ParsedNode).range?.[0] ?? offset;
      if (!isScalar(key)) {
        fail(at, 'A key must be a text');
        continue;
      }
      if (within.size === 0) noteAnchor(key);
      const name = key.source ?? String(key.value);
      if (name === '<<') fail(at, 'Merge keys (`<<`) are not supported: repeat the fields, or use an overlay');
      else if (offsets.has(name)) fail(at, `The key \`${name}\` is used twice`);
      else if (name === prototypeKey.name) fail(at, prototypeKey.message);
      offsets.set(name, at);
      map[name] = read(value, at, within);
      noteWritten(map, name, value);
    }
    places.push([map, offset, offsets]);
    return map;
  };

  const scalar = ({ value, source }: Scalar, offset: number): unknown => {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return fail(offset, `The value \`${source}\` is not a number of JSON: quote it if it is a text`);
    }
    return value === undefined ? null : value;
  };

  const noteWritten = (container: object, key: Step, node: unknown): void => {
    if (!isScalar(node) || node.source === undefined) return;
    const { value, source } = node;
    if ((typeof value === 'number' || typeof value === 'boolean') && String(value) !== source) {
      written.push({ container, key, text: source });
    }
  };

  const value = read(contents, 0, new Set());
  const locate = (record: RecordPlace): void => {
    for (const place of places) record(...place);
  };
  return { value, errors, written, locate };
}

/** An error message of the parser without the quoted part of the file, which may be a secret. */
const withoutContent = (message: string): string => message.replace(/(?<=\w): .*$|(?<=version|sequence) .*$/s, '');

/** The line of a text at an offset, with the offset of its start. */
function lineAt(text: string, offset: number): { start: number; line: string } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return { start, line: text.slice(start).split('\n', 1)[0] ?? '' };
}

/** A reference without quotes, at its first character. */
const unquoted = /(?<=[[{,:]\s*)\$\{(?:env|file):/;

/**
 * Replaces syntax errors that follow from an unquoted reference such as `${env:NAME}` in a list or map. The parser
 * reads the `{` of a reference as the start of a map, and later errors follow from that. So one sentence takes the
 * place of the first error in such a line and of all later ones.
 */
function withReferencesQuoted(text: string, errors: Parsed['errors']): Parsed['errors'] {
  // most files have none, so their lines need not be checked
  if (!unquoted.test(text)) return errors;
  for (const [index, { offset }] of errors.entries()) {
    const { start, line } = lineAt(text, offset);
    const at = line.search(unquoted);
    if (at < 0 || !/[[{]/.test(line.replace(/\$\{[^}]*\}/g, ''))) continue;
    const message = 'YAML: quote the reference: within `[ ]` and `{ }`, its braces have a meaning of their own';
    return [...errors.slice(0, index), { offset: start + at, message }];
  }
  return errors;
}

/** Whether a value has a tag that its form does not imply. */
function isTagged(node: Node): boolean {
  return !isAlias(node) && !String(node.tag).startsWith('tag:yaml.org,2002:');
}
