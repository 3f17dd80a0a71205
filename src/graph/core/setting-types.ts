import type { EnumRef, InputFieldMap } from '@pothos/core';
import { type BuilderTypes, builder } from './builder.js';
import { within } from './texts.js';

type Values = Record<string, unknown>;

/** How a setting looks in GraphQL. `C` are the names of the enums that a choice can be of. */
export type SettingKind<C extends string> =
  | 'flag'
  | 'count'
  | 'seconds'
  | 'milliseconds'
  | 'instant'
  | 'text'
  | 'texts'
  | 'secret'
  | { choice: C }
  | { choices: C };

/** A setting that becomes a field and an input. */
export interface TypedSetting<C extends string> {
  name: string;
  kind: SettingKind<C>;
  description: string;
  /** least and greatest number; from 0 by default */
  least?: number;
  most?: number;
  /** whether the field can be null; by default texts, instants and choices can */
  nullable?: boolean;
}

/** Settings that are read and written as one object. */
export interface TypedGroup<C extends string> {
  /** name of the object type; groups of the same form share it */
  type: string;
  description: string;
  /** description of the type, if it differs from the description of the group */
  about?: string;
  settings: readonly TypedSetting<C>[];
}

/** Values of an enum of settings: the name in GraphQL with the stored text and its meaning. */
export interface SettingChoice {
  description: string;
  values: Readonly<Record<string, readonly string[]>>;
}

/** The enums of choices, by their names. */
export const choiceEnums = <C extends string>(
  choices: Readonly<Record<C, SettingChoice>>,
): Record<C, EnumRef<BuilderTypes, string>> =>
  // fromEntries does not keep the names in its type
  Object.fromEntries(
    Object.entries<SettingChoice>(choices).map(([name, { description, values }]) => [
      name,
      builder.enumType(name, {
        description,
        values: Object.fromEntries(
          Object.entries(values).map(([value, [stored = '', text = '']]) => [
            value,
            { value: stored, description: text },
          ]),
        ),
      }),
    ]),
  ) as Record<C, EnumRef<BuilderTypes, string>>;

/** Name of the field that states whether a secret is set. */
export const hasName = (name: string): string => `has${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const mayBeMissing = ({ kind, nullable }: TypedSetting<string>): boolean =>
  nullable ?? (kind === 'text' || kind === 'instant' || (typeof kind === 'object' && 'choice' in kind));

/** Makes something from a group, once for all groups of its type. */
function byType<C extends string, R>(make: (group: TypedGroup<C>) => R): (group: TypedGroup<C>) => R {
  const made = new Map<string, R>();
  return (group) => {
    const known = made.get(group.type) ?? make(group);
    made.set(group.type, known);
    return known;
  };
}

/** Makes object types and input types from tables of settings, whose choices come from these enums. */
export function settingTypes<C extends string>(enums: Readonly<Record<C, object>>) {
  const typeOf = ({ kind }: TypedSetting<C>): unknown => {
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
  };
  const field = (setting: TypedSetting<C>) => ({
    type: typeOf(setting) as 'String',
    nullable: mayBeMissing(setting),
    description: setting.description,
  });
  const objectType = ({ type, about, description, settings }: TypedGroup<C>) =>
    builder.objectRef<Values>(type).implement({
      description: about ?? description,
      fields: (t) =>
        Object.fromEntries(
          settings.map((setting) => {
            const { name } = setting;
            return setting.kind === 'secret'
              ? [
                  hasName(name),
                  t.boolean({
                    description: `Whether a ${name} is set.`,
                    resolve: (values) => values[hasName(name)] === true,
                  }),
                ]
              : [name, t.field({ ...field(setting), resolve: (values) => values[name] as string })];
          }),
        ),
    });
  const inputs = (settings: readonly TypedSetting<C>[], t: InputBuilder): InputFieldMap =>
    Object.fromEntries(
      settings.map((setting) => [
        setting.name,
        t.field({
          type: typeOf(setting) as 'String',
          description: setting.description,
          ...within(setting.least ?? 0, setting.most),
        }),
      ]),
    );
  return {
    /** The object type of a group. */
    groupType: byType(objectType),
    /** The input type of a group. */
    groupInput: byType(({ type, about, description, settings }: TypedGroup<C>) =>
      builder.inputType(`${type}Input`, {
        description: `${about ?? description} Omitted fields keep their values.`,
        fields: (t) => inputs(settings, t),
      }),
    ),
    /** The type, nullability and description of the field of a setting. */
    field,
    /** The input fields of settings. */
    inputs,
  };
}

/** The builder of the fields of an input type. */
export type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;
