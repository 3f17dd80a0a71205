import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { accentShades, darkShades } from '../../src/brand/brand.js';

/** The theme of the console: the colours of all pages of the server, and a focus that keyboards can see. */
export const theme = createTheme({
  // the accent colour takes the place of the library's indigo
  colors: { indigo: accentShades, dark: darkShades },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  // the sizes that the library has for the headings one and two levels below
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.625rem', lineHeight: '1.35' }, h2: { fontSize: '1.125rem', lineHeight: '1.45' } },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: {
      defaultProps: { variant: 'dot', color: 'gray' },
      styles: { root: { textTransform: 'none' } },
      // the gray of the library is that of its background in the dark
      vars: (_: unknown, { color }: { color?: string }) => ({
        root: color === 'gray' ? { '--badge-dot-color': 'var(--mantine-color-dimmed)' } : {},
      }),
    },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    // a screen has few buttons that stand out
    Button: { defaultProps: { variant: 'default' } },
    // options that nobody has opened are not in the page: a closed list costs a layout when its screen is shown
    Combobox: { defaultProps: { keepMounted: false } },
    EmptyState: { defaultProps: { size: 'sm' } },
    Input: { styles: { input: { textOverflow: 'ellipsis' } } },
    Table: { defaultProps: { verticalSpacing: 'xs' } },
    Text: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    // the page has one banner, and a dialog is not in it
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Notification: { styles: { description: { color: 'var(--mantine-color-text)' } } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // what one passes on the way to the next input stays closed, and does not cover messages
    Select: { defaultProps: { openOnFocus: false } },
    MultiSelect: { defaultProps: { openOnFocus: false } },
    Modal: { defaultProps: { centered: true } },
  },
});

/** Secondary texts and errors with the contrast of 4.5 to 1 that the library's own colours do not have. */
export const contrast: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    // the gray of the library is darker than the page
    '--mantine-color-gray-light': colors.dark[6],
  },
});
