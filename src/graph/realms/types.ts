import type { InputFieldMap } from '@pothos/core';
import { builder } from '../core/builder.js';
import { choices } from './choices.js';
import { type Setting, type SettingGroup, settingGroups } from './settings.js';
import { hasName } from './translation.js';

type Values = Record<string, unknown>;

const enums = Object.fromEntries(
  Object.entries(choices).map(([name, { description, values }]) => [
    name,
    builder.enumType(name, {
      description,
      values: Object.fromEntries(
        Object.entries(values as Record<string, readonly string[]>).map(([value, [wire = '', text = '']]) => [
          value,
          { value: wire, description: text },
        ]),
      ),
    }),
  ]),
) as Record<string, object>;

/** Scalar or enum of a setting; a list of it where that is an array. */
function typeOf({ kind }: Setting): unknown {
  if (typeof kind === 'object') return 'choice' in kind ? enums[kind.choice] : [enums[kind.choices]];
  switch (kind) {
    case 'flag':
      return 'Boolean';
    case 'text':
    case 'secret':
      return 'String';
    case 'texts':
      return ['String'];
    case 'instant':
      return 'DateTime';
    default:
      return 'Int';
  }
}

const mayBeMissing = ({ kind }: Setting): boolean =>
  kind === 'text' || kind === 'instant' || (typeof kind === 'object' && 'choice' in kind);

function objectType({ type, about, description, settings }: SettingGroup) {
  return builder.objectRef<Values>(type).implement({
    description: about ?? description,
    fields: (t) =>
      Object.fromEntries(
        settings.map((setting) =>
          setting.kind === 'secret'
            ? [
                hasName(setting.name),
                t.boolean({
                  description: `Whether a ${setting.name} is set.`,
                  resolve: (values) => values[hasName(setting.name)] === true,
                }),
              ]
            : [
                setting.name,
                t.field({
                  type: typeOf(setting) as 'String',
                  nullable: mayBeMissing(setting),
                  description: setting.description,
                  resolve: (values) => values[setting.name] as string,
                }),
              ],
        ),
      ),
  });
}

function inputType({ type, about, description, settings }: SettingGroup) {
  return builder.inputType(`${type}Input`, {
    description: `${about ?? description} Omitted fields keep their values.`,
    fields: (t) =>
      Object.fromEntries(
        settings.map((setting) => [
          setting.name,
          t.field({ type: typeOf(setting) as 'String', description: setting.description }),
        ]),
      ),
  });
}

/** What is made of a group, once for all groups of its type. */
function byType<R>(make: (group: SettingGroup) => R): (group: SettingGroup) => R {
  const made = new Map<string, R>();
  return (group) => {
    const known = made.get(group.type) ?? make(group);
    made.set(group.type, known);
    return known;
  };
}

/** The object type of a group. */
export const groupType = byType(objectType);
const groupInput = byType(inputType);

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

/** The input fields of all groups of settings. */
export const settingInputs = (t: InputBuilder): InputFieldMap =>
  Object.fromEntries(
    settingGroups.map((group) => [group.name, t.field({ type: groupInput(group), description: group.description })]),
  );

export const RealmAttribute = builder.objectRef<{ name: string; value: string }>('RealmAttribute').implement({
  description: 'A custom attribute of a realm.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the attribute.' }),
    value: t.exposeString('value', { description: 'Value of the attribute.' }),
  }),
});

export const RealmAttributeInput = builder.inputType('RealmAttributeInput', {
  description: 'A custom attribute of a realm.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the attribute.' }),
    value: t.string({ required: true, description: 'Value of the attribute.' }),
  }),
});
