import { list, map, text } from '../services/core/shape.js';
import * as localization from '../services/localization/operations.js';
import { below } from './place.js';
import { inRealm } from './realm.js';
import type { RestRequest } from './request.js';
import { get } from './table.js';

const texts = below(inRealm, '/localization');
const address = ({ params: { locale, key } }: RestRequest) => ({ locale, key });

export const localizationRoutes = [
  get(texts, localization.locales, { returns: list(text) }),
  get(below(texts, '/{locale}'), localization.texts, { returns: map, input: address }),
  get(below(texts, '/{locale}/{key}'), localization.get, {
    returns: text,
    input: address,
    answer: (body) => ({ status: 200, type: 'text/plain;charset=UTF-8', body }),
  }),
].flat();
