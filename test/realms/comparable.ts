/** Without what may differ between two realms of the same content: ids and times. */
export function comparable(value: unknown, key = ''): unknown {
  if (key === 'id' || key === 'internalId' || key === 'containerId' || /Timestamp$|createdDate|^_id$/.test(key))
    return null;
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item));
    return items.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, item]) => [name, comparable(item, name)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
