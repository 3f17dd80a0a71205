import { byRealm } from '../../services/core/by-realm.js';
import { localeOf, textOf } from '../../services/localization/locate.js';
import * as localization from '../../services/localization/operations.js';
import { type StandardText, standardTexts } from '../../services/localization/standard-texts.js';
import { localesByRealm } from '../../services/localization/store.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { listType, named, onText } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { relatedField } from '../core/related.js';
import { isLong } from '../core/texts.js';
import { jsonOf } from '../core/upload.js';
import { realmOfResult, realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';

const LocalizationText = builder.prismaObject('LocalizationText', {
  select: { locale: true, key: true, value: true },
  description: 'A custom text of a realm in one locale. Replaces the built-in text with the same key.',
  fields: (t) => ({
    locale: t.exposeString('locale', { description: 'BCP 47 language tag, e.g. `de`.' }),
    key: t.exposeString('key', { description: 'Key by which pages and emails look up the text.' }),
    value: t.exposeString('value', { description: 'The text that replaces the built-in one.' }),
  }),
});

const StandardTextRef = builder.objectRef<StandardText>('StandardText').implement({
  description: 'A built-in text of pages and emails in one locale.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Key by which pages and emails look up the text.' }),
    value: t.exposeString('value', { description: 'The text, in which `{0}` is the first of its parameters.' }),
  }),
});

const LocalizationTextConnection = connectionType('LocalizationText', LocalizationText);

builder.prismaObjectFields(Realm, (t) => ({
  standardTexts: t.field({
    type: [StandardTextRef],
    nullable: true,
    description:
      'Built-in texts of pages and emails in a locale, ordered by key. English if there are none in the locale. `localizationTexts` replace them.',
    requires: localization.locales,
    args: { locale: t.arg.string({ required: true, description: 'BCP 47 language tag, e.g. `de`.' }) },
    resolve: (_realm, { locale }) => standardTexts(locale),
  }),
  localizedLocales: t.field({
    type: ['String'],
    nullable: true,
    description: 'Locales for which the realm has custom texts.',
    requires: localization.locales,
    resolve: async ({ id }, _args, ctx) =>
      (await byRealm(ctx, 'locales', (ids) => localesByRealm(ctx.db, ids)).load(id)) ?? [],
  }),
}));

relatedField(Realm, 'localizationTexts', {
  relation: 'localizations',
  requires: localization.texts,
  connection: LocalizationTextConnection,
  description: 'Custom texts of the realm, ordered by locale and key.',
  list: listType({
    name: 'LocalizationText',
    plural: 'texts',
    conditions: {
      locale: onText('locale', 'Condition on the locale.'),
      key: onText('key', 'Condition on the key.'),
      search: named('Matches texts whose key or value contains this text. Case-sensitive.', (text) => ({
        OR: [{ key: { contains: text } }, { value: { contains: text } }],
      })),
    },
    orders: {
      LOCALE: { path: 'locale', description: 'Order by locale.' },
      KEY: { path: 'key', description: 'Order by key.' },
    },
    key: ['locale', 'key'],
  }),
  order: [{ path: 'locale' }, { path: 'key' }],
});

const TextInput = builder.inputType('LocalizationTextInput', {
  description: 'A custom text with its key.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'Key by which pages and emails look up the text.' }),
    value: t.string({ required: true, ...isLong, description: 'The text that replaces the built-in one.' }),
  }),
});

const ofRealm = 'ID of the realm.';
const locale = 'BCP 47 language tag of the locale, e.g. `de`.';
const TextsInput = builder.inputType('LocalizationTextsInput', {
  description: 'Texts by their keys, as a list or as a file. Exactly one field is given.',
  isOneOf: true,
  fields: (t) => ({
    list: t.field({ type: [TextInput], description: 'The texts. If a key occurs twice, the last text is used.' }),
    upload: t.field({
      type: 'Upload',
      description: 'A JSON object of texts by key, as a part of a multipart request.',
    }),
  }),
});

mutation('localizationTextsSet', {
  description: 'Sets custom texts of a realm in one locale. Its other texts stay unchanged.',
  operation: localization.setMany,
  input: (t) => ({
    realm: t.id({ required: true, description: ofRealm }),
    locale: t.string({ required: true, description: locale }),
    texts: t.field({ type: TextsInput, required: true, description: 'Texts to set.' }),
  }),
  locate: async (input, ctx) => localeOf(await realmTarget(ctx, String(input.realm), 'realm'), input.locale),
  send: async (input, ctx) => {
    const { list, upload } = input.texts;
    if (list) return Object.fromEntries(list.map(({ key, value }) => [key, value]));
    return jsonOf({ upload }, ctx.services.config.bodyLimit);
  },
  fieldsOf: ({ texts: { upload } }) => {
    const at = upload ? 'texts.upload' : 'texts.list';
    return (field) => (field === 'locale' ? field : /^(upload|body)$/.test(field) ? at : `${at}.${field}`);
  },
  returns: realmOfResult,
});

mutation('localizationTextDelete', {
  description: 'Deletes a custom text of a realm in one locale. The built-in text is used again.',
  operation: localization.remove,
  input: (t) => ({
    realm: t.id({ required: true, description: ofRealm }),
    locale: t.string({ required: true, description: locale }),
    key: t.string({ required: true, description: 'Key of the text to delete.' }),
  }),
  locate: async (input, ctx) => textOf(await realmTarget(ctx, String(input.realm), 'realm'), input.locale, input.key),
  returns: realmOfResult,
});

mutation('localizationTextsDelete', {
  description: 'Deletes all custom texts of a realm in one locale. The built-in texts are used again.',
  operation: localization.removeMany,
  input: (t) => ({
    realm: t.id({ required: true, description: ofRealm }),
    locale: t.string({ required: true, description: locale }),
  }),
  locate: async (input, ctx) => localeOf(await realmTarget(ctx, String(input.realm), 'realm'), input.locale),
  returns: realmOfResult,
});
