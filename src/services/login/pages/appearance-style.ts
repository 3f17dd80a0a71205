import { colors } from '../../../brand/brand.js';
import type { LoginAppearance } from '../appearance.js';
import { isReadableOn, textColorOn } from './contrast.js';

/** What links lie on where the realm has no background of its own: the form and the page around it, as in `style`. */
const backgrounds = {
  light: [colors.light.card, colors.light.page],
  dark: [colors.dark.card, colors.dark.page],
};

/** Links have the accent colour where it can be read, else that of the text: they are underlined. */
const linkColor = (accent: string, scheme: keyof typeof backgrounds): string =>
  isReadableOn(accent, backgrounds[scheme]) ? accent : 'var(--text)';

/** The style of a checked appearance, after the built-in one. Empty if it is that. */
export function appearanceStyle({ accentColor: accent, backgroundColor: back }: LoginAppearance): string {
  const accented = accent
    ? `:root { --accent: ${accent}; --on-accent: ${textColorOn(accent)}; --link: ${linkColor(accent, 'light')} }
@media (prefers-color-scheme: dark) { :root { --link: ${linkColor(accent, 'dark')} } }
`
    : '';
  const backed = back
    ? `:root { --back: ${back}; --on-back: ${textColorOn(back)}; --back-link: ${textColorOn(back)} }
`
    : '';
  return accented + backed;
}
