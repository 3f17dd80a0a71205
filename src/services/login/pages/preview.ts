import { type Context, loader } from '../../core/context.js';
import { batchLoader } from '../../core/pace.js';
import { isOn, type RealmRecord } from '../../core/realm.js';
import { checkAppearance, type LoginAppearance } from '../appearance.js';
import { localeOf, type Texts, textsInEach } from '../texts.js';
import { pageDocument } from './document.js';
import { html } from './html.js';
import { loginForm, waysOut } from './login-form.js';

type PreviewedRealm = Pick<RealmRecord, 'id' | 'name' | 'displayName' | 'settings'>;

/** The texts of previews: one statement for all realms that are asked for at the same time. */
const previewTexts = (ctx: Context) =>
  loader(ctx, 'texts of login pages', () =>
    batchLoader<PreviewedRealm, Texts>(ctx, (realms) =>
      textsInEach(
        ctx.db,
        realms.map((realm) => ({ id: realm.id, ...localeOf(realm, {}) })),
      ),
    ),
  );

/** The login page of a realm as HTML, as it would be with an appearance. It sends nothing anywhere. Throws `invalid` for a wrong value. */
export async function loginPagePreview(
  ctx: Context,
  realm: PreviewedRealm,
  appearance: LoginAppearance,
): Promise<string> {
  checkAppearance(appearance);
  const texts = await previewTexts(ctx).load(realm);
  const frame = { texts, realmTitle: realm.displayName || realm.name, appearance };
  const shown = {
    frame,
    action: undefined,
    turn: () => '#',
    toProvider: () => '#',
    mayCancel: false,
    notice: undefined,
  };
  const content = {
    name: 'login',
    asksName: true,
    asksPassword: true,
    username: '',
    rememberMe: isOn(realm, 'rememberMe') ? false : undefined,
    mayReset: isOn(realm, 'resetPasswordAllowed'),
    mayRegister: isOn(realm, 'registrationAllowed'),
  } as const;
  const body = html`${loginForm(shown, content)}${waysOut(shown, content)}`;
  return pageDocument(frame, texts.say('loginAccountTitle'), body, { isInert: true }).text;
}
