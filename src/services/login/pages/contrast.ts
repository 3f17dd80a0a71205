/** Relative luminance of a colour `#rrggbb`, WCAG 2.1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colours `#rrggbb`, WCAG 2.1: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The contrast that WCAG 2.1 level AA requires of text. */
const readable = 4.5;

/** Whether text in a colour can be read on each of the backgrounds. */
export const isReadableOn = (color: string, backgrounds: readonly string[]): boolean =>
  backgrounds.every((background) => contrast(color, background) >= readable);

/** Black or white, whichever has more contrast on a background. One of them always has enough. */
export const textColorOn = (background: string): string =>
  contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000';
