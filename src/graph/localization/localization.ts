import { parsedJson } from '../../services/core/json-file.js';
import { localeOf, textOf } from '../../services/localization/locate.js';
import * as localization from '../../services/localization/operations.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { mutation } from '../core/mutation.js';
import { permitById } from '../core/node.js';
import { eitherOf } from '../core/upload.js';
import { realmOfResult, realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';

const LocalizationText = builder.prismaObject('LocalizationText', {
  select: { locale: true, key: true, value: true },
  description: 'A text that a realm has of its own in one locale; it replaces the built-in text of this key.',
  fields: (t) => ({
    locale: t.exposeString('locale', { description: 'BCP 47 tag, e.g. `de`.' }),
    key: t.exposeString('key', { description: 'What pages and mails look the text up by.' }),
    value: t.exposeString('value', { description: 'The text.' }),
  }),
});

const LocalizationTextConnection = connectionType('LocalizationText', LocalizationText);

interface TextFilter {
  locale?: string | null;
  search?: string | null;
}

const texts = related<TextFilter>({
  parent: 'realm',
  relation: 'localizations',
  where: ({ locale, search }) => ({
    ...(locale != null && { locale }),
    ...(search && { OR: [{ key: { contains: search } }, { value: { contains: search } }] }),
  }),
  order: [{ path: 'locale' }, { path: 'key' }],
  permission: 'any:admin',
});

builder.prismaObjectFields(Realm, (t) => ({
  localizedLocales: t.field({
    type: ['String'],
    nullable: true,
    description: 'The locales for which the realm has texts of its own. For administrators.',
    resolve: async ({ id }, _args, ctx) => {
      (await permitById(ctx, id)).require('any:admin');
      return localization.localesOf(ctx.db, id);
    },
  }),
  localizationTexts: t.field({
    type: LocalizationTextConnection,
    nullable: true,
    description: 'The texts that the realm has of its own, by locale and key. For administrators.',
    args: {
      ...pageArgs,
      locale: t.arg.string({ description: 'Only those of this locale.' }),
      search: t.arg.string({ description: 'Part of the key or the text.' }),
    },
    ...(texts as object),
  } as never),
}));

const TextInput = builder.inputType('LocalizationTextInput', {
  description: 'A text with its key.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'What pages and mails look the text up by.' }),
    value: t.string({ required: true, description: 'The text.' }),
  }),
});

const ofRealm = 'Id of the realm.';
const locale = 'BCP 47 tag of the locale.';
mutation('localizationTextsSet', {
  description: 'Sets texts of a realm in one locale; its other texts stay.',
  operation: localization.setMany,
  input: (t) => ({
    realm: t.id({ required: true, description: ofRealm }),
    locale: t.string({ required: true, description: locale }),
    texts: t.field({ type: [TextInput], description: 'The texts; of two with one key the later.' }),
    upload: t.field({ type: 'Upload', description: 'Or a file with a JSON object of them by their keys.' }),
  }),
  locate: async (input, ctx) => localeOf(await realmTarget(ctx, String(input.realm), 'realm'), input.locale),
  send: async (input, ctx) => {
    const { text: texts, upload } = eitherOf('texts', input.texts, input.upload);
    if (texts) return Object.fromEntries(texts.map(({ key, value }) => [key, value]));
    return parsedJson((await upload.bytes(ctx.services.config.bodyLimit)).toString('utf8'));
  },
  fieldOf: (field) => (field === 'locale' || field === 'upload' ? field : 'texts'),
  returns: realmOfResult,
});

mutation('localizationTextDelete', {
  description: 'Deletes one text of a realm in one locale; the built-in one is shown again.',
  operation: localization.remove,
  input: (t) => ({
    realm: t.id({ required: true, description: ofRealm }),
    locale: t.string({ required: true, description: locale }),
    key: t.string({ required: true, description: 'Key of the text.' }),
  }),
  locate: async (input, ctx) => textOf(await realmTarget(ctx, String(input.realm), 'realm'), input.locale, input.key),
  returns: realmOfResult,
});

mutation('localizationTextsDelete', {
  description: 'Deletes all texts that a realm has in one locale.',
  operation: localization.removeMany,
  input: (t) => ({
    realm: t.id({ required: true, description: ofRealm }),
    locale: t.string({ required: true, description: locale }),
  }),
  locate: async (input, ctx) => localeOf(await realmTarget(ctx, String(input.realm), 'realm'), input.locale),
  returns: realmOfResult,
});
