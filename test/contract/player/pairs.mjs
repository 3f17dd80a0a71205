// Which items of two lists belong together.

// Fields that tell the items of a list apart, the best first.
const naturalKeys = [
  'username',
  'clientId',
  'realm',
  'alias',
  'name',
  'mapperName',
  'id',
  'displayName',
  'providerId',
  'identityProvider',
  'clientName',
  'client',
  'executor',
  'condition',
  'policy',
  'algorithm',
  'path',
  'resourcePath',
  'authenticator',
  'flowAlias',
  'type',
];

/** The natural key of an item, or null. Identifiers of this run don't count. */
export function naturalKey(item) {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return null;
  const field = naturalKeys.find((name) => typeof item[name] === 'string' && !/^<(uuid|kid):/.test(item[name]));
  return field ? `${field}=${item[field]}` : null;
}

/** Pairs the items of two arrays: by natural key when it tells them apart, otherwise by position. */
export function pairs(expected, actual) {
  const keys = expected.map(naturalKey);
  const otherKeys = actual.map(naturalKey);
  const tellsApart = (list) => !list.includes(null) && new Set(list).size === list.length;
  if (!tellsApart(keys) || !tellsApart(otherKeys)) {
    const length = Math.max(expected.length, actual.length);
    return Array.from({ length }, (_, at) => [expected[at], actual[at], `[${at}]`]);
  }
  const all = [...new Set([...keys, ...otherKeys])];
  return all.map((key) => [expected[keys.indexOf(key)], actual[otherKeys.indexOf(key)], `[${key}]`]);
}
