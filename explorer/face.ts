import { colors } from '../src/brand/brand.js';

/** The hue, saturation, and lightness of a colour `#rrggbb`, as GraphiQL's variables have it. */
function hsl(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const range = most - least;
  const lightness = (most + least) / 2;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
  const sector =
    range === 0
      ? 0
      : most === red
        ? (green - blue) / range + 6
        : most === green
          ? (blue - red) / range + 2
          : (red - green) / range + 4;
  const percent = (part: number) => `${(part * 100).toFixed(1)}%`;
  return `${((sector * 60) % 360).toFixed(0)}, ${percent(saturation)}, ${percent(lightness)}`;
}

/** Where GraphiQL has its variables. */
const places = ['container', 'dialog', 'dialog-overlay', 'tooltip'].map((name) => `.graphiql-${name}`);

const rule = (
  body: string,
  { accent, text }: Record<'accent' | 'text', string>,
  base: string,
  warning: string,
): string =>
  `${[...places, '[data-radix-popper-content-wrapper]'].map((place) => `html ${body} ${place}`).join(', ')} {
  --color-primary: ${hsl(accent)}; --color-info: ${hsl(accent)}; --color-neutral: ${hsl(text)}; --color-base: ${hsl(base)}; --color-warning: ${hsl(warning)}; --alpha-secondary: .85 }`;

const dark = (body: string): string => rule(body, colors.dark, colors.dark.page, '#ffcc99');

/** The style sheet that gives GraphiQL the colours of the other pages. */
export const faceStyle = `${rule('body', colors.light, colors.light.card, '#8a5300')}
${dark('body.graphiql-dark')}
@media (prefers-color-scheme: dark) { ${dark('body:not(.graphiql-light)')} }`;
