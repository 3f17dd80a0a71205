import { json } from '../http/answer.js';
import { applyById } from '../services/realms/applied/locate.js';
import { getApply, listApplies, managed, revert, revertPlan, unmanage } from '../services/realms/applied/operations.js';
import { applyView, encodeManaged, RealmManagedRepresentation } from '../services/realms/applied/representation.js';
import { encodeApplied, encodePlan } from '../services/realms/desired/representation.js';
import { RealmApplied, RealmPlan } from './answer-shapes.js';
import { each } from './paging.js';
import { below, child } from './place.js';
import { realm } from './realm.js';
import { del, get, getList, post } from './table.js';

const applies = child(realm, '/applies', (_ctx, found) => ({ realm: found }));
const one = child(applies, '/{id}', (ctx, parent, { id = '' }) => applyById(ctx, parent.realm, id));
const followed = child(realm, '/managed', (_ctx, found) => ({ realm: found }));

export const realmApplyRoutes = [
  getList(applies, listApplies, { full: applyView, paging: each(100) }),
  get(one, getApply, { view: applyView }),
  get(below(one, '/revert-plan'), revertPlan, { returns: RealmPlan, answer: (planned) => json(encodePlan(planned)) }),
  post(below(one, '/revert'), revert, { returns: RealmApplied, answer: (applied) => json(encodeApplied(applied)) }),
  get(followed, managed, {
    returns: RealmManagedRepresentation,
    answer: ({ managed: found, showsAuthor }) => json(encodeManaged(found, showsAuthor)),
  }),
  del(followed, unmanage),
].flat();
