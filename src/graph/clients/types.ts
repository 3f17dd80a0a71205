import type { InputFieldMap } from '@pothos/core';
import { choiceEnums, type InputBuilder, settingTypes } from '../core/setting-types.js';
import { type Choice, wireValues } from '../realms/choices.js';
import { realmEnums } from '../realms/types.js';
import { type ClientChoice, clientChoices } from './choices.js';
import { clientSettingGroups, generalSettings } from './settings.js';

const types = settingTypes<Choice | ClientChoice>({ ...realmEnums, ...choiceEnums(clientChoices) });

/** The object type of a group of settings, and the type of the field of a single one. */
export const { groupType, field: settingField } = types;

/** The input fields of all settings of a client. */
export const settingInputs = (t: InputBuilder): InputFieldMap => ({
  ...types.inputs(generalSettings, t),
  ...Object.fromEntries(
    clientSettingGroups.map((group) => [
      group.name,
      t.field({ type: types.groupInput(group), description: group.description }),
    ]),
  ),
});

const ownValues: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(clientChoices).map(([name, { values }]) => [
    name,
    new Set(Object.values(values).map(([stored]) => stored ?? '')),
  ]),
);

/** The texts by which the values of a choice are stored. */
export const storedChoices = (choice: Choice | ClientChoice): ReadonlySet<string> =>
  ownValues.get(choice) ?? wireValues[choice as Choice];
