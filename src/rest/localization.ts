import { parsedJson } from '../services/core/json-file.js';
import { list, map, text } from '../services/core/shape.js';
import { localeOf, textOf } from '../services/localization/locate.js';
import * as localization from '../services/localization/operations.js';
import { below, child } from './place.js';
import { inRealm } from './realm.js';
import { flagParameter, type RestRequest } from './request.js';
import { del, get, patch, post, put } from './table.js';

const texts = below(inRealm, '/localization');
const inLocale = child(texts, '/{locale}', (_ctx, parent, { locale = '' }) => localeOf(parent, locale));
const oneText = child(texts, '/{locale}/{key}', (_ctx, parent, { locale = '', key = '' }) =>
  textOf(parent, locale, key),
);

export const localizationRoutes = [
  get(texts, localization.locales, { returns: list(text) }),
  get(inLocale, localization.texts, {
    returns: map,
    query: ['useRealmDefaultLocaleFallback'],
    input: ({ query }) => ({ withDefaults: flagParameter(query, 'useRealmDefaultLocaleFallback') }),
  }),
  patch(inLocale, localization.setMany),
  post(inLocale, localization.setMany, {
    takes: 'upload',
    input: async (request: RestRequest) =>
      /^multipart\//i.test(request.headers['content-type'] ?? '')
        ? parsedJson((await request.upload()).bytes.toString('utf8'))
        : request.body(),
  }),
  del(inLocale, localization.removeMany),
  get(oneText, localization.get, {
    returns: text,
    media: 'text/plain',
    answer: (body) => ({ status: 200, type: 'text/plain;charset=UTF-8', body }),
  }),
  put(oneText, localization.set, { takes: 'text', input: (request: RestRequest) => request.text('text/plain') }),
  del(oneText, localization.remove),
].flat();
