/** Converts the path of a contract field to the name of the input field. Names without an entry stay the same. */
export function fieldNamed(names: Readonly<Record<string, string>>): (field: string) => string {
  const known = new Map(Object.entries(names)); // an object also has names that it inherits, such as `constructor`
  return (field) => known.get(field) ?? field;
}
