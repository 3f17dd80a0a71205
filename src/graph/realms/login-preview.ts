import { appearanceOf } from '../../services/login/appearance.js';
import { loginPagePreview } from '../../services/login/pages/preview.js';
import * as realms from '../../services/realms/operations.js';
import { builder } from '../core/builder.js';
import { Realm } from './realms.js';

type Values = Readonly<Record<string, never>>;

builder.prismaObjectField(Realm, 'loginPagePreview', (t) =>
  t.string({
    nullable: true,
    description:
      'HTML of the login page with a colour scheme and logo that need not be stored. Its form sends nothing. An omitted argument has the stored value; null stands for none.',
    requires: realms.settings,
    args: {
      accentColor: t.arg.string({ description: 'Colour of buttons and links, as `#rrggbb`.' }),
      backgroundColor: t.arg.string({ description: 'Colour of the page around the form, as `#rrggbb`.' }),
      logo: t.arg.string({
        description: 'Base64 data URL of a PNG, JPEG, SVG, or WebP image of at most 65536 bytes.',
      }),
    },
    select: { id: true, name: true, displayName: true, settings: true, attributes: true },
    resolve: ({ id, name, displayName, settings, attributes }, given, ctx) => {
      const stored = appearanceOf(attributes as Values);
      const value = (of: keyof typeof stored) => (given[of] === undefined ? stored[of] : (given[of] ?? undefined));
      return loginPagePreview(
        ctx,
        { id, name, displayName, settings: settings as Values },
        { accentColor: value('accentColor'), backgroundColor: value('backgroundColor'), logo: value('logo') },
      );
    },
  }),
);
