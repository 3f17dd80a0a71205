import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isObject } from '../../services/core/json.js';
import { naturalKey } from '../../services/realms/files/natural-keys.js';
import { realmShape, type Shape, type Step, shapeOf } from '../../services/realms/files/shape.js';
import { excerptAt } from './excerpt.js';
import { createLineFinder, DesiredRealmError, type Fault, type Position } from './faults.js';
import { type DesiredFile, desiredFiles } from './files.js';
import type { Folder } from './folders.js';
import { combine, duplicates, overlay } from './merge.js';
import { createOrigins, type Origins, type Substituted } from './origins.js';
import { parse } from './parse.js';
import { type Secrets, substitute } from './substitute.js';

/** The targets of references and relative paths. */
export interface LoadOptions {
  /** files or folders that are applied over the others, in this order */
  overlays?: readonly string[];
  /** variables for `${env:NAME}`. Default: none */
  env?: Readonly<Record<string, string | undefined>>;
  /** folders besides the folder of the realm from which `${file:…}` can read */
  filesFrom?: readonly string[];
  /** the folder that paths are relative to. Default: the working directory */
  cwd?: string;
  /** whether references of keycloak-config-cli are read, too. Default: they are refused */
  readsConfigCli?: boolean;
  /** whether references stay in the texts. Default: they are replaced */
  keepsReferences?: boolean;
  /** treatment of values that are unknown without secrets. Default: all are known */
  secrets?: Secrets;
}

/** A realm as files describe it. */
export interface DesiredRealm {
  /** the fields of RealmRepresentation that the files mention, with the words of `words.ts` */
  realm: Record<string, unknown>;
  /** Returns the position at which a value was read; for a missing value, the position of the object that lacks it. */
  positionOf(path: readonly Step[]): Position | undefined;
  /** paths of the values that came from variables or other files: they are secrets, and never shown */
  secretPaths: Step[][];
  /** values that are unknown to a plan without secrets, with the texts in the files in their places */
  unknownValues: { path: Step[]; reference: string }[];
  /** the files that were read, as messages name them */
  files: string[];
}

/** Reads files and folders as one desired realm. Throws a DesiredRealmError with all faults if any is an error. */
export function loadDesired(paths: readonly string[], options: LoadOptions = {}): DesiredRealm & { warnings: Fault[] } {
  const { desired, faults } = readDesired(paths, options);
  if (faults.some(({ severity }) => severity === 'error')) throw new DesiredRealmError(faults);
  return { ...desired, warnings: faults };
}

/**
 * Loads a realm for a validation: the readable parts of the realm, the faults of files, references, and duplicates, and
 * whether all files could be read.
 */
export function readDesired(
  paths: readonly string[],
  { overlays = [], env = {}, filesFrom = [], cwd = process.cwd(), ...how }: LoadOptions,
): { desired: DesiredRealm; faults: Fault[]; isWhole: boolean } {
  const origins = createOrigins();
  const faults: Fault[] = [];
  const files: string[] = [];
  let isWhole = true;
  const shape = realmShape();
  const readable = filesFrom.map((folder) => resolve(cwd, folder));

  const together = (from: readonly string[]): Record<string, unknown> => {
    const realm: Record<string, unknown> = {};
    for (const file of desiredFiles(from, cwd, readable)) {
      files.push(file.name);
      const { content, faults: wrong } = read(file, origins);
      if (wrong.length > 0) isWhole = false;
      const surroundings = { ...how, env, folder: dirname(file.path), readable: [file.root, ...readable] };
      const unknown = how.keepsReferences ? [] : substitute(content, surroundings, origins);
      faults.push(...wrong, ...unknown, ...combine(realm, content, shape, origins));
    }
    faults.push(...duplicates(realm, shape, origins));
    return realm;
  };

  const realm = together(paths);
  for (const path of overlays) faults.push(...overlay(realm, together([path]), shape, origins));
  const { lossy, unknownNames, ...values } = finish(realm, shape, origins, how.secrets);
  for (const path of lossy) faults.push(lossyNumber(path, positionOf(realm, path, origins)));
  for (const path of unknownNames) faults.push(unknownName(path, positionOf(realm, path, origins)));
  const desired = { realm, files, ...values, positionOf: (path: readonly Step[]) => positionOf(realm, path, origins) };
  return { desired, faults, isWhole };
}

/** The content of a file as a part of a realm. */
function read(file: DesiredFile, origins: Origins): { content: Record<string, unknown>; faults: Fault[] } {
  const { text, parsed } = parse(readFileSync(file.path), file.format);
  const { value, locate, errors, written = [] } = parsed;
  const lineAndColumn = createLineFinder(text);
  const fault = (message: string, offset = 0): Fault => ({
    severity: 'error',
    message,
    position: { file: file.name, ...lineAndColumn(offset) },
  });
  if (errors.length > 0) {
    const faults = errors.map(({ message, offset, isSyntax }) => {
      const excerpt = isSyntax ? excerptAt(text, offset) : undefined;
      return fault(excerpt === undefined ? message : `${message}, in \`${excerpt}\``, offset);
    });
    return { content: {}, faults };
  }
  if (locate) origins.add({ file: file.name, text }, locate);
  for (const { container, key, text: literal } of written) origins.wroteAs({ container, key }, literal);
  // a file with only comments has no value
  if (value === null || value === undefined) return { content: {}, faults: [] };
  if (file.folder) return partOf(file.folder, value, fault);
  return isObject(value)
    ? { content: value, faults: [] }
    : { content: {}, faults: [fault('The file must have the fields of a realm')] };
}

/** The part of a realm that a file in a folder describes. */
function partOf({ path, form, name }: Folder, value: unknown, fault: (message: string) => Fault) {
  const isRight = isObject(value) || (form === 'list' && Array.isArray(value) && value.every(isObject));
  if (!isRight) {
    const right = form === 'list' ? 'an object or a list of objects' : 'an object';
    return { content: {}, faults: [fault(`A file in \`${name}\` must have ${right}`)] };
  }
  const content = form === 'list' && !Array.isArray(value) ? [value] : value;
  return {
    content: path.reduceRight<unknown>((below, step) => ({ [step]: below }), content) as Record<string, unknown>,
    faults: [],
  };
}

const unknownName = (path: Step[], position: Position | undefined): Fault => ({
  severity: 'error',
  message: `\`${path.join('.')}\` names an object, so that a plan without secrets must know it: set the variable in the file of --variables`,
  position,
  path,
});

const lossyNumber = (path: Step[], position: Position | undefined): Fault => ({
  severity: 'error',
  message: `\`${path.join('.')}\` is an integer that no field can hold: quote it if it is a text`,
  position,
  path,
});

/**
 * Converts numbers and switches to texts if the contract has texts. Collects the paths of secrets, of unknown values,
 * and of integers that would lose precision in a field without a range.
 */
function finish(
  realm: object,
  realmsShape: Shape,
  origins: Origins,
  secrets: Secrets | undefined,
): Pick<DesiredRealm, 'secretPaths' | 'unknownValues'> & { lossy: Step[][]; unknownNames: Step[][] } {
  const secretPaths: Step[][] = [];
  const unknownValues: DesiredRealm['unknownValues'] = [];
  const unknownNames: Step[][] = [];
  const lossy: Step[][] = [];
  const isName = (container: object, key: Step, path: Step[], shape: Shape | undefined): boolean =>
    path.length === 0
      ? key === 'realm'
      : naturalKey(shape, container) !== naturalKey(shape, { ...container, [key]: undefined });
  const note = ({ text: reference, isUnknown }: Substituted, path: Step[], isName: boolean): void => {
    if (isUnknown && isName) unknownNames.push(path);
    if (isUnknown) unknownValues.push({ path, reference });
    // values that a plan without secrets knows are shown, so that they can be reviewed
    if (!secrets || (isUnknown && !secrets.areLeft)) secretPaths.push(path);
  };
  const visit = (container: object, shape: Shape | undefined, path: Step[]): void => {
    for (const [name, value] of Object.entries(container)) {
      const key: Step = Array.isArray(container) ? Number(name) : name;
      const below = shapeOf(shape, key);
      const substituted = origins.substitutedOf({ container, key });
      if (substituted) note(substituted, [...path, key], isName(container, key, path, shape));
      if (typeof value === 'object' && value !== null) visit(value, below, [...path, key]);
      // a single value may stand for a list with one item
      const isText = below?.type === 'string' || (below?.type === 'array' && below.items?.type === 'string');
      if (isText && (typeof value === 'number' || typeof value === 'boolean')) {
        (container as Record<Step, unknown>)[key] = origins.writtenText({ container, key }) ?? String(value);
      } else if (below?.type === undefined && Number.isInteger(value) && !Number.isSafeInteger(value)) {
        lossy.push([...path, key]);
      }
    }
  };
  visit(realm, realmsShape, []);
  return { secretPaths, unknownValues, unknownNames, lossy };
}

function positionOf(realm: object, path: readonly Step[], origins: Origins): Position | undefined {
  let position = origins.positionOf(realm);
  let container: unknown = realm;
  for (const step of path) {
    if (typeof container !== 'object' || container === null) break;
    const value: unknown = (container as Record<Step, unknown>)[step];
    if (value === undefined) break;
    // lists also contain objects of other files, so an object has its own position
    const own = isContainer(value) ? origins.positionOf(value) : undefined;
    const asMember = origins.positionOf(container, step);
    position = (Array.isArray(container) ? (own ?? asMember) : (asMember ?? own)) ?? position;
    container = value;
  }
  return position;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
