/** An operation of the shelf. */
export interface Example {
  area: string;
  name: string;
  description: string;
  document: string;
}

/**
 * Reads the shelf: a line `## Users` begins an area, and each operation begins with the comment lines that describe it. Throws an
 * error if an operation has no area, no name, or no description.
 */
export function readExamples(text: string): Example[] {
  const examples: Example[] = [];
  let area = '';
  for (const block of text.split(/\n{2,}/).map((part) => part.trim())) {
    const heading = /^## (.+)$/.exec(block);
    if (heading) {
      area = heading[1] ?? '';
      continue;
    }
    const name = /^(?:query|mutation|subscription) (\w+)/m.exec(block)?.[1];
    const description = [...block.matchAll(/^# (.+)$/gm)].map(([, line]) => line).join(' ');
    if (!area || !name || !description) throw new Error(`An example has no area, name, or description: ${block}`);
    examples.push({ area, name, description, document: `${block}\n` });
  }
  return examples;
}

/** Query for the first objects of the realm, whose IDs replace the ID variables of an example. */
export const startingPoints = `query StartingPoints {
  realm(name: "master") {
    id
    users(first: 1) { edges { node { id } } }
    clients(first: 1) { edges { node { id } } }
    roles(first: 1) { edges { node { id } } }
    groups(first: 1) { edges { node { id } } }
  }
}`;

type First = { edges: { node: { id: string } }[] };

/** Data of `startingPoints`. */
export type StartingPoints = { realm: { id: string } & Record<'users' | 'clients' | 'roles' | 'groups', First> };

/** Values of the ID variables of a document, by the names of the variables. An object that does not exist has an empty ID. */
export function variablesOf(document: string, data: StartingPoints | undefined): Record<string, string> {
  const first = (list: First | undefined): string => list?.edges[0]?.node.id ?? '';
  const ids: Record<string, string> = {
    realm: data?.realm.id ?? '',
    user: first(data?.realm.users),
    client: first(data?.realm.clients),
    role: first(data?.realm.roles),
    group: first(data?.realm.groups),
    // any object will do
    object: first(data?.realm.users),
  };
  const names = [...document.matchAll(/\$(\w+): ID!/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, ids[name] ?? '']));
}
