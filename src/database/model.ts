import { getDatamodel } from '../generated/datamodel.js';
import { type ComputedRelation, computedRelations } from './computed.js';
import type { ModelName } from './db.js';

export interface Relation {
  model: Model;
  /** the column that refers to the `id` of the other side; a second column for the realm would add nothing to a join */
  foreignKey: string;
  /** whether that column is in this model (otherwise in the other model) */
  here: boolean;
  list: boolean;
  /** the condition between both sides if there is no foreign key */
  link?: ComputedRelation['link'];
  ids?: ComputedRelation['ids'];
  standsFor?: ComputedRelation['standsFor'];
  merged?: ComputedRelation['merged'];
}

export interface Field {
  name: string;
  /** scalar type of the Prisma schema; for relations the name of the other model */
  type: string;
  required: boolean;
  relation?: Relation;
}

export interface Model {
  name: ModelName;
  fields: Map<string, Field>;
  scalars: Field[];
  primaryKey: string[];
  /** the columns of every unique key, the primary one included */
  uniqueKeys: string[][];
}

let models: Map<string, Model> | undefined;

/** The data model of the Prisma schema with its relations resolved. Every foreign key refers to an `id`, some with its realm. */
export function modelOf(name: string): Model {
  models ??= readModels();
  const model = models.get(name);
  if (!model) throw new Error(`There is no model ${name}`);
  return model;
}

/** The column of a model at a path through to-one relations, such as `group.name`. */
export function fieldAt(model: string, path: string): Field {
  const [first = '', ...rest] = path.split('.');
  const field = modelOf(model).fields.get(first);
  if (!field) throw new Error(`${model} has no field ${first}`);
  return field.relation ? fieldAt(field.relation.model.name, rest.join('.')) : field;
}

/** Returns a function that computes a value for each model once. */
export function byModel<T>(make: (model: Model) => T): (name: ModelName) => T {
  const made = new Map<ModelName, T>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const value = make(modelOf(name));
    made.set(name, value);
    return value;
  };
}

/** The name under which a database has the methods of a model: `userGroup` for `UserGroup`. */
export const delegateName = (model: string): string => model.charAt(0).toLowerCase() + model.slice(1);

/** Names of all models. */
export function modelNames(): string[] {
  models ??= readModels();
  return [...models.keys()];
}

function readModels(): Map<string, Model> {
  const source = getDatamodel().datamodel.models;
  const result = new Map<string, Model>();
  for (const [name, model] of Object.entries(source)) {
    const scalars = model.fields.filter((field) => field.kind !== 'object');
    const toField = (field: (typeof scalars)[number]): Field => ({
      name: field.name,
      type: field.type,
      required: field.isRequired,
    });
    const named = (fits: (field: (typeof scalars)[number]) => boolean) =>
      scalars.filter(fits).map((field) => field.name);
    const primaryKey = model.primaryKey?.fields.slice() ?? named((field) => field.isId);
    const columns = model.uniqueIndexes.map(({ fields }) => [...fields]);
    result.set(name, {
      name: name as ModelName,
      fields: new Map(scalars.map((field) => [field.name, toField(field)])),
      scalars: scalars.map(toField),
      primaryKey,
      uniqueKeys: [primaryKey, ...named((field) => field.isUnique).map((field) => [field]), ...columns],
    });
  }
  for (const [name, model] of Object.entries(source)) {
    for (const field of model.fields) {
      if (field.kind !== 'object') continue;
      const other = source[field.type];
      const target = result.get(field.type);
      const here = field.relationFromFields?.[0];
      const opposite = other?.fields.find(
        (item) => item.relationName === field.relationName && item.type === name && item.relationFromFields?.length,
      );
      const foreignKey = here ?? opposite?.relationFromFields?.[0];
      if (!target || !foreignKey) throw new Error(`The relation ${name}.${field.name} has no foreign key`);
      const relation = { model: target, foreignKey, here: here !== undefined, list: field.isList };
      result.get(name)?.fields.set(field.name, {
        name: field.name,
        type: field.type,
        required: field.isRequired,
        relation,
      });
    }
  }
  for (const { owner, name, model, ...computed } of computedRelations) {
    const target = result.get(model) as Model;
    const relation = { model: target, foreignKey: '', here: false, list: true, ...computed };
    result.get(owner)?.fields.set(name, { name, type: model, required: true, relation });
  }
  return result;
}

type Datamodel = ReturnType<typeof getDatamodel>;

/** The data model for Pothos: the Prisma schema with the computed relations. */
export function datamodelWithComputed(): Datamodel {
  const datamodel = getDatamodel();
  const models = datamodel.datamodel.models as unknown as Record<string, { fields: object[] }>;
  for (const { owner, name, model } of computedRelations) {
    models[owner]?.fields.push({ kind: 'object', name, type: model, isList: true, isRequired: true });
  }
  return datamodel;
}
