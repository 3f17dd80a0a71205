import { list, read } from '../core/operation.js';
import { representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { componentFilter } from './encode.js';
import type { ComponentTarget } from './locate.js';

export const ComponentFilter = representation('ComponentFilter', { parent: text, type: text, name: text });

export const listComponents = list({
  name: 'component.list',
  summary: 'The components of a realm: configured providers of keys, storage, registration policies and more.',
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
  summary: 'One component.',
  allow: 'view:realm',
  run: async (_ctx, { component }: ComponentTarget) => component,
});
