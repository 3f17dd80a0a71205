import { realmShape, type Shape, type Step, shapeOf } from './shape.js';

/** The files of one folder: objects of a list, or entries of a map, at a place of the realm. */
export interface Kind {
  folder: string;
  /** where the objects stand in a realm */
  path: readonly string[];
  /** `list`: a file is an object or a list of them; `map`: a file is an object with some entries of the map */
  form: 'list' | 'map';
}

const list = (folder: string, ...path: string[]): Kind => ({ folder, path, form: 'list' });
const map = (folder: string, ...path: string[]): Kind => ({ folder, path, form: 'map' });

/** The folders of a desired realm. What has no folder of its own stands in `realm.yaml`. */
export const kinds: readonly Kind[] = [
  list('roles', 'roles', 'realm'),
  map('client-roles', 'roles', 'client'),
  list('groups', 'groups'),
  list('users', 'users'),
  list('clients', 'clients'),
  list('client-scopes', 'clientScopes'),
  list('scope-mappings', 'scopeMappings'),
  map('client-scope-mappings', 'clientScopeMappings'),
  list('flows', 'authenticationFlows'),
  list('authenticator-configs', 'authenticatorConfig'),
  list('required-actions', 'requiredActions'),
  list('identity-providers', 'identityProviders'),
  list('identity-provider-mappers', 'identityProviderMappers'),
  map('components', 'components'),
  map('localization', 'localizationTexts'),
  list('webhooks', 'webhooks'),
];

/** The kind whose files are in a folder of this name. */
export const kindOfFolder = (folder: string): Kind | undefined => kinds.find((kind) => kind.folder === folder);

/** The shape of the list or map of a kind. */
export const shapeOfKind = ({ path }: Kind): Shape | undefined =>
  path.reduce<Shape | undefined>((shape, step: Step) => shapeOf(shape, step), realmShape());
