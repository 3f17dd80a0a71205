/** The schemas of a version. */
interface Schemas {
  version: string;
  graphql: string;
  openapi: object;
}

/** The release in which each path was first deprecated. */
type Deprecations = Readonly<Record<string, string>>;

export function breakingChanges(
  released: Schemas & { deprecations: Deprecations },
  current: Schemas,
): Promise<string[]>;
export function deprecationsOf(graphql: string, version: string, before: Deprecations): Record<string, string>;
