import type { InputFieldMap } from '@pothos/core';
import { builder } from '../core/builder.js';
import { choiceEnums, type InputBuilder, settingTypes } from '../core/setting-types.js';
import { choices } from './choices.js';
import { settingGroups, smtpGroup } from './settings.js';

/** The enums of settings of realms and clients. */
export const realmEnums = choiceEnums(choices);

const types = settingTypes(realmEnums);

/** The object type of a group. */
export const { groupType } = types;

/** The input type of the settings of a mail server. */
export const SmtpInput = types.groupInput(smtpGroup);

/** The input fields of all groups of settings. */
export const settingInputs = (t: InputBuilder): InputFieldMap =>
  Object.fromEntries(
    settingGroups.map((group) => [
      group.name,
      t.field({ type: types.groupInput(group), description: group.description }),
    ]),
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
