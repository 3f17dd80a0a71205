import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isObject } from '../../services/core/json.js';
import type { Step } from '../../services/realms/files/shape.js';
import type { Fault } from './faults.js';
import type { Origins } from './origins.js';
import { isReachable, outside, realPath } from './reachable.js';

/** The variables and files that references can name. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** absolute path of the folder that `${file:…}` is relative to */
  folder: string;
  /** absolute paths of the folders that `${file:…}` can read from */
  readable: readonly string[];
  /** whether references of keycloak-config-cli are read, too. Default: they are refused */
  readsConfigCli?: boolean;
  /** treatment of values that are unknown without secrets. Default: all are known */
  secrets?: Secrets;
}

/** How values of variables and files are treated that are secrets. */
export interface Secrets {
  /** variables that are known: the ones in a file. All others, and files, are secrets. */
  known: Readonly<Record<string, string | undefined>>;
  /** whether the references of secrets stay in place of their values */
  areLeft: boolean;
}

/** Bytes of a file that `${file:…}` names: certificates and keys have a few thousand. */
const mostBytes = 1024 * 1024;

// Realm files have texts such as `${role_admin}` and `${vault.smtp}`: only these two words are references. References
// in parentheses are from keycloak-config-cli. They are refused if they are not supported, because a secret would
// otherwise become the text of its reference.
const reference =
  /(?<!\$)(\$+)(?:\{(env|file):([^}]*)(\}?)|\((base64Decoder|env|file|properties|sys|url):([^)]*)(\)?))/g;
const referenceStart = /(?<!\$)\$+(?:\{(?:env|file)|\((?:base64Decoder|env|file|properties|sys|url)):/g;

/** Whether a text has a reference that is not escaped. */
export const hasReference = (text: string): boolean =>
  [...text.matchAll(reference)].some(([, dollars]) => dollars === '$');

class ReferenceFault extends Error {}

/**
 * Replaces `${env:NAME}`, `${env:NAME:-default}`, and `${file:path}` in the texts of a value, in place. It runs after
 * the file was parsed and never reads inserted texts, so an inserted text cannot become another field or reference.
 */
export function substitute(root: unknown, surroundings: Surroundings, origins: Origins): Fault[] {
  const faults: Fault[] = [];
  const visit = (container: object): void => {
    for (const [name, value] of Object.entries(container)) {
      const key: Step = Array.isArray(container) ? Number(name) : name;
      if (Array.isArray(value) || isObject(value)) visit(value);
      if (typeof value !== 'string' || !/\$[{(]/.test(value)) continue;
      let isFromOutside = false;
      let isSecret = false;
      const textOf = (word: string, argument: string): string => {
        isFromOutside = true;
        const { secrets } = surroundings;
        if (secrets && !isKnown(word, argument, secrets)) {
          isSecret = true;
          if (secrets.areLeft) return '';
        }
        return word === 'env' ? variable(argument, surroundings) : content(argument, surroundings);
      };
      try {
        const text = value.replace(reference, (...[whole, dollars, word, argument, end, ...other]: string[]) => {
          // one dollar less: `$${env:A}` is the text `${env:A}`
          if (dollars !== '$') return (whole as string).slice(1);
          if (word === undefined) {
            return ofConfigCli(other, surroundings, textOf);
          }
          if (!end) throw new ReferenceFault(`The reference \`\${${word}:\` has no closing brace`);
          if (argument?.includes('${')) throw new ReferenceFault('A reference must not have another one in it');
          return textOf(word, argument as string);
        });
        const isLeft = isSecret && surroundings.secrets?.areLeft === true;
        if (!isLeft) (container as Record<Step, unknown>)[key] = text;
        if (isFromOutside) origins.substituted({ container, key }, { text: value, isUnknown: isSecret });
      } catch (error) {
        if (!(error instanceof ReferenceFault)) throw error;
        faults.push({ severity: 'error', message: error.message, position: origins.positionOf(container, key) });
      }
    }
  };
  if (typeof root === 'object' && root !== null) visit(root);
  return faults;
}

/** The value of a reference of keycloak-config-cli: `$(env:NAME)`, `$(env:NAME:-default)`, or `$(file:UTF-8:path)`. */
function ofConfigCli(
  [word, argument = '', end]: string[],
  { readsConfigCli }: Surroundings,
  textOf: (word: string, argument: string) => string,
): string {
  if (!readsConfigCli)
    throw new ReferenceFault(
      `The reference \`$(${word}:\` is one of keycloak-config-cli: write \`\${env:NAME}\`, or read it with --config-cli. The text itself is \`$$(${word}:\`.`,
    );
  if (!end) throw new ReferenceFault(`The reference \`$(${word}:\` has no closing parenthesis`);
  if (word === 'env') return textOf(word, argument);
  if (word === 'file') return textOf(word, argument.replace(/^UTF-8:/i, ''));
  throw new ReferenceFault(`References by \`${word}\` are not read: use \`env\` or \`file\``);
}

/** A value with escaped references in its texts, so that nothing in them is replaced. */
export function escapedReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(referenceStart, (start) => `$${start}`);
  if (Array.isArray(value)) return value.map(escapedReferences);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escapedReferences(item)]));
}

/** The parts of a reference to a variable: its name, and the default text. */
function partsOf(argument: string): { name: string; rest: string | undefined; standard: string } {
  const [, name, rest, standard = ''] = /^([A-Za-z_]\w*)?(:-(.*))?$/s.exec(argument) ?? [];
  if (name === undefined)
    throw new ReferenceFault(`A reference to a variable must be \`\${env:NAME}\` or \`\${env:NAME:-default}\``);
  return { name, rest, standard };
}

/** Whether the value of a reference is known without secrets. */
const isKnown = (word: string, argument: string, { known }: Secrets): boolean =>
  word === 'env' && Object.hasOwn(known, partsOf(argument).name);

function variable(argument: string, { env, secrets }: Surroundings): string {
  const { name, rest, standard } = partsOf(argument);
  // the apply has the values that the reviewed plan had
  if (secrets && Object.hasOwn(secrets.known, name)) return secrets.known[name] ?? '';
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (rest !== undefined) return value || standard;
  if (value === undefined) {
    throw new ReferenceFault(
      `The environment variable ${name} is not set: set it, or write \`\${env:${name}:-default}\``,
    );
  }
  return value;
}

function content(path: string, { folder, readable }: Surroundings): string {
  const named = isAbsolute(path) ? path : join(folder, path);
  const real = realPath(named);
  if (!isReachable(named, readable)) throw new ReferenceFault(`The file ${path} ${outside}`);
  if (!real || !statSync(real).isFile()) throw new ReferenceFault(`The file ${path} does not exist`);
  if (statSync(real).size > mostBytes) throw new ReferenceFault(`The file ${path} must have at most 1 MB`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(real));
    // editors end a file with a newline, which is no part of a secret
    return text.replace(/\r?\n$/, '');
  } catch (error) {
    const reason = error instanceof TypeError ? 'must be UTF-8 text' : 'cannot be read';
    throw new ReferenceFault(`The file ${path} ${reason}`);
  }
}
