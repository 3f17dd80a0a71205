/** Translates the path of a field of the contract to the name of the input field here. Names without an entry are the same. */
export function fieldNamed(names: Readonly<Record<string, string>>): (field: string) => string {
  const known = new Map(Object.entries(names)); // an object also has names that it inherits, such as `constructor`
  return (field) => known.get(field) ?? field;
}
