// Which changes of the printed schemas break clients of the last release. docs/graphql.md states the policy.
import { diff } from '@graphql-inspector/core';
import { apiDiff } from 'api-smart-diff';
import { buildSchema } from 'graphql';

/** Minor releases for which something is marked as deprecated before it is removed. */
const notice = 2;

/**
 * What was released, and what would be.
 * @typedef {{ version: string, graphql: string, openapi: object }} Schemas
 * @typedef {Readonly<Record<string, string>>} Deprecations the release in which each path was first deprecated
 */

/**
 * Says in sentences which changes break clients.
 * @param {Schemas & { deprecations: Deprecations }} released
 * @param {Schemas} current
 * @returns {Promise<string[]>}
 */
export async function breakingChanges(released, current) {
  const changes = await diff(schemaOf(released.graphql), schemaOf(current.graphql));
  const ofGraphql = changes
    .filter(({ criticality }) => criticality.level === 'BREAKING')
    .filter(({ type, path }) => !(/REMOVED/.test(type) && isDue(path ?? '', released.deprecations, current.version)))
    .map(({ message, path }) => `GraphQL: ${message} (${path})`);
  const ofRest = apiDiff(released.openapi, current.openapi)
    // readers miss what is removed from an answer, and what has another type, although the differ accepts that
    .filter(({ type, action }) => type === 'breaking' || (action !== 'add' && type !== 'annotation'))
    .map(({ action, path }) => `REST: ${action} ${path.join(' › ')}`);
  return [...ofGraphql, ...new Set(ofRest)];
}

/**
 * The releases in which each deprecated field, argument, input field, and enum value was first deprecated.
 * @param {string} graphql
 * @param {string} version of the release
 * @param {Deprecations} before
 * @returns {Record<string, string>}
 */
export function deprecationsOf(graphql, version, before) {
  const paths = Object.values(schemaOf(graphql).getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => [
      ...('getFields' in type ? Object.values(type.getFields()).flatMap((field) => deprecatedOf(type, field)) : []),
      ...('getValues' in type ? type.getValues().flatMap((value) => deprecatedOf(type, value)) : []),
    ]);
  return Object.fromEntries(paths.sort().map((path) => [path, before[path] ?? version]));
}

function deprecatedOf(type, member) {
  const path = `${type.name}.${member.name}`;
  const own = member.deprecationReason == null ? [] : [path];
  const ofArguments = (member.args ?? [])
    .filter(({ deprecationReason }) => deprecationReason != null)
    .map(({ name }) => `${path}.${name}`);
  return [...own, ...ofArguments];
}

const schemaOf = (text) => buildSchema(text, { assumeValid: true });

const minorsOf = (version) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return { major, minor };
};

/** Whether a path, or what it belongs to, was deprecated for long enough to be removed. */
function isDue(path, deprecations, version) {
  const since = Object.entries(deprecations).find(([known]) => path === known || path.startsWith(`${known}.`))?.[1];
  if (since === undefined) return false;
  const [from, now] = [minorsOf(since), minorsOf(version)];
  return now.major > from.major || now.minor - from.minor >= notice;
}
