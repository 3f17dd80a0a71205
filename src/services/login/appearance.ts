import { limit } from '../../config/limits.js';
import { invalid, type Refusal, refuseAll } from '../core/refusal.js';

/** How the login pages of a realm look, apart from the built-in style. */
export interface LoginAppearance {
  /** colour of buttons and links, `#rrggbb` */
  accentColor?: string | undefined;
  /** colour of the page around the form, `#rrggbb` */
  backgroundColor?: string | undefined;
  /** data URL of an image in place of the realm's name */
  logo?: string | undefined;
}

/** The attributes of a realm that hold it. The prefix keeps them apart from attributes of other installations. */
export const appearanceAttributes = {
  accentColor: 'realmgateLoginAccentColor',
  backgroundColor: 'realmgateLoginBackgroundColor',
  logo: 'realmgateLoginLogo',
} as const satisfies Record<keyof LoginAppearance, string>;

/** How many bytes a logo can have: each login page contains it. */
const largestLogo = limit('Keys and files', 'Logo of the login pages', 65_536, 'bytes');

const color = /^#[0-9a-f]{6}$/i;
/** No addresses of other servers: they would learn who logs in, and the policy of the pages would have to allow them. */
const logo = /^data:image\/(?:png|jpeg|svg\+xml|webp);base64,/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** What is wrong with a colour. The value is shown, as far as a message can. */
const colorFault = (value: string): string | undefined =>
  color.test(value) ? undefined : `must be a colour such as #0b5cad, got ${JSON.stringify(value.slice(0, 40))}`;

function logoFault(value: string): string | undefined {
  const data = value.replace(logo, '');
  const bytes = Buffer.byteLength(data, 'base64');
  if (data.length < value.length && bytes > largestLogo)
    return `must be an image of at most ${largestLogo} bytes, got ${bytes}`;
  if (data.length < value.length && data.length % 4 === 0 && base64.test(data)) return undefined;
  return 'must be a base64 data URL of a PNG, JPEG, SVG, or WebP image';
}

const faults = { accentColor: colorFault, backgroundColor: colorFault, logo: logoFault };
const names = ['accentColor', 'backgroundColor', 'logo'] as const;

/** What is wrong with an appearance, by the names that the caller knows the fields by. An empty text is none. */
function faultsIn(values: LoginAppearance, fieldOf: (name: keyof LoginAppearance) => string): Refusal[] {
  return names.flatMap((name) => {
    const value = values[name];
    const fault = value ? faults[name](value) : undefined;
    return fault === undefined ? [] : invalid(`\`${fieldOf(name)}\` ${fault}`, fieldOf(name));
  });
}

const valuesIn = (attributes: Readonly<Record<string, string>>): LoginAppearance =>
  Object.fromEntries(names.map((name) => [name, attributes[appearanceAttributes[name]]]));

/** Throws `invalid` where the attributes of a realm have no valid appearance. */
export const checkAppearanceAttributes = (attributes: Readonly<Record<string, string>> = {}): void =>
  refuseAll(faultsIn(valuesIn(attributes), (name) => `attributes.${appearanceAttributes[name]}`));

/** Throws `invalid` where an appearance is not valid. */
export const checkAppearance = (values: LoginAppearance): void => refuseAll(faultsIn(values, (name) => name));

/** The appearance that the attributes of a realm say. Pages leave out values that were stored without a check. */
export function appearanceOf(attributes: Readonly<Record<string, string>>): LoginAppearance {
  const values = valuesIn(attributes);
  return Object.fromEntries(names.map((name) => [name, faults[name](values[name] ?? '') ? undefined : values[name]]));
}
