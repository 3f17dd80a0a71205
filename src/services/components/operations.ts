import { ownMember } from '../core/json.js';
import { list, read } from '../core/operation.js';
import { invalid } from '../core/refusal.js';
import { representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { componentTypes } from '../providers/component-types.js';
import { mapperTypesBelow } from '../providers/storage-mappers.js';
import { type Config, storageMapper } from '../user-storage/config.js';
import { componentFilter } from './encode.js';
import type { ComponentTarget } from './locate.js';

const ComponentFilter = representation('ComponentFilter', { parent: text, type: text, name: text });

export const listComponents = list({
  name: 'component.list',
  summary: 'Returns the components of a realm, such as key providers and user storages.',
  input: ComponentFilter,
  allow: 'view:realm',
  model: 'Component',
  where: ({ realm }: Target, { parent, type, name }) =>
    // a type alone asks for what is directly below the realm
    componentFilter(realm.id, { parent: type === undefined ? parent : (parent ?? realm.id), type, name }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

export const get = read({
  name: 'component.get',
  summary: 'Returns a component.',
  allow: 'view:realm',
  run: async (_ctx, { component }: ComponentTarget) => component,
});

const SubTypeChoice = representation('SubTypeChoice', { type: text });

export const subTypes = read({
  name: 'component.subTypes',
  summary:
    'Returns the providers of a type, with their settings, from which components can be created below a component.',
  input: SubTypeChoice,
  allow: 'view:realm',
  run: async (_ctx, { component }: ComponentTarget, { type }) => {
    if (!type) throw invalid('must specify a subtype', 'type', { member: 'error' });
    const types = ownMember(componentTypes(), type);
    if (!types) throw invalid(`Provider type "${type}" not found`, 'type');
    return type === storageMapper ? mapperTypesBelow(component.config as Config) : types;
  },
});
