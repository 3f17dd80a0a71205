import { realmShape, type Shape, type Step, shapeOf } from '../../services/realms/files/shape.js';

/** The files of one folder: objects of a list, or entries of a map, at a place of the realm. */
export interface Folder {
  name: string;
  /** path of the objects in a realm */
  path: readonly string[];
  /** `list`: a file is an object or a list of them; `map`: a file is an object with some entries of the map */
  form: 'list' | 'map';
}

const list = (name: string, ...path: string[]): Folder => ({ name, path, form: 'list' });
const map = (name: string, ...path: string[]): Folder => ({ name, path, form: 'map' });

/** The folders of a desired realm. Parts without a folder are in `realm.yaml`. */
export const folders: readonly Folder[] = [
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

/** The folder of this name; undefined for others. */
export const folderNamed = (name: string): Folder | undefined => folders.find((folder) => folder.name === name);

/** The shape of the list or map that the files of a folder are parts of. */
export const shapeOfFolder = ({ path }: Folder): Shape | undefined =>
  path.reduce<Shape | undefined>((shape, step: Step) => shapeOf(shape, step), realmShape());
