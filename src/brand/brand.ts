// The appearance of all pages: login pages, console, documents, REST reference, and GraphiQL are made from these
// values.

/** The accent colour, from its lightest shade to its darkest. */
export const accentShades = [
  '#eef3ff',
  '#dbe6ff',
  '#bcd0ff',
  '#99b6ff',
  '#7b9dff',
  '#6086fc',
  '#486cea',
  '#3755d2',
  '#2e49bd',
  '#263da2',
] as const;

/** The colours of dark pages, from texts to the background. */
export const darkShades = [
  '#e6eaf0',
  '#b0bccc',
  '#8b98ab',
  '#647186',
  '#364152',
  '#2a3341',
  '#1b222d',
  '#12171f',
  '#0e1218',
  '#0a0d12',
] as const;

/** The colours of pages without the console's component library. Texts have a contrast of at least 4.5 to 1. */
export const colors = {
  light: {
    accent: accentShades[7],
    'on-accent': '#ffffff',
    text: '#1c2430',
    quiet: '#566275',
    page: '#f6f8fb',
    card: '#ffffff',
    line: '#dde3ec',
    edge: '#7e8898',
    bad: '#b3261e',
  },
  dark: {
    accent: accentShades[3],
    'on-accent': darkShades[7],
    text: darkShades[0],
    quiet: darkShades[1],
    page: darkShades[7],
    card: darkShades[6],
    line: darkShades[4],
    edge: darkShades[2],
    bad: '#ff9c94',
  },
} as const;

const variables = (scheme: Readonly<Record<string, string>>): string =>
  Object.entries(scheme)
    .map(([name, color]) => `--${name}: ${color}`)
    .join('; ');

/** The colours as variables of a style sheet, by the colour scheme of the browser: `--accent`, `--text`, and so on. */
export const colorStyle = `:root { color-scheme: light dark; ${variables(colors.light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(colors.dark)} } }`;

/** The logo, a gate, as an SVG document with its own background. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accentShades[7]}"/><path d="M6.5 26V15.5a9.5 9.5 0 0 1 19 0V26" fill="none" stroke="#fff" stroke-width="2.8" stroke-linecap="round"/><path d="M12 27.2V15.5a4 4 0 0 1 8 0v11.7z" fill="#fff"/></svg>`;
