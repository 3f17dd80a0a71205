import { describe, expect, it } from 'vitest';
import { colors as brand } from '../../src/brand/brand.js';
import { appearanceAttributes, appearanceOf, checkAppearanceAttributes } from '../../src/services/login/appearance.js';
import { appearanceStyle } from '../../src/services/login/pages/appearance-style.js';
import { contrast, textColorOn } from '../../src/services/login/pages/contrast.js';

const steps = ['00', '1f', '3c', '55', '76', '77', '8e', 'aa', 'cc', 'ff'];
const colors = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)));

describe('colours of login pages', () => {
  it('have the contrast that WCAG computes', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
    expect(contrast('#ff0000', '#ffffff')).toBeCloseTo(4, 2);
  });

  it('are readable as they are built in', () => {
    for (const { page, card, accent, text, quiet, bad, ...scheme } of [brand.light, brand.dark]) {
      for (const color of [accent, text, quiet, bad])
        for (const back of [page, card]) expect(contrast(color, back)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(scheme['on-accent'], accent)).toBeGreaterThanOrEqual(4.5);
      // WCAG 2.1, success criterion 1.4.11: what shows where an input is
      expect(contrast(scheme.edge, card)).toBeGreaterThanOrEqual(3);
    }
  });

  it('leave every text readable', () => {
    for (const color of colors) {
      expect(contrast(textColorOn(color), color)).toBeGreaterThanOrEqual(4.5);
      const style = appearanceStyle({ accentColor: color });
      const [light, dark] = [...style.matchAll(/--link: (\S+)/g)].map(([, link = '']) => link);
      for (const [link, back] of [
        [light, brand.light.card],
        [light, brand.light.page],
        [dark, brand.dark.card],
        [dark, brand.dark.page],
      ] as const) {
        if (link !== 'var(--text)') expect(contrast(link ?? '', back)).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
});

describe('values of the attributes', () => {
  const png = `data:image/png;base64,${Buffer.alloc(65_536, 7).toString('base64')}`;
  const valid = {
    accentColor: ['#000000', '#AbCdEf', ''],
    backgroundColor: ['#ffffff', ''],
    logo: [png, 'data:image/svg+xml;base64,PHN2Zy8+', 'data:image/webp;base64,AAAA', 'data:image/jpeg;base64,AA==', ''],
  };
  const notColors = ['red', '#fff', '#12345g', '#1234567', '#123456;}', '#123456\n', ' #123456', 'url(//x.example)'];
  const wrong = {
    accentColor: notColors,
    backgroundColor: notColors,
    logo: [
      'https://x.example/logo.png',
      'data:text/html;base64,AAAA',
      'data:image/gif;base64,AAAA',
      'data:image/png,plain',
      'data:image/png;base64,',
      'data:image/png;base64,AAA',
      'data:image/png;base64,A=AA',
      'data:image/png;base64,AAAA"onerror="x',
      'javascript:alert(1)',
      `data:image/png;base64,${Buffer.alloc(65_537, 7).toString('base64')}`,
    ],
  };
  const names = Object.keys(appearanceAttributes) as (keyof typeof appearanceAttributes)[];

  for (const name of names) {
    it(`of ${name} are what they are said to be`, () => {
      const attribute = appearanceAttributes[name];
      for (const value of valid[name]) {
        expect(() => checkAppearanceAttributes({ [attribute]: value })).not.toThrow();
        expect(appearanceOf({ [attribute]: value })[name] ?? '').toBe(value);
      }
      for (const value of wrong[name]) {
        const field = `attributes.${attribute}`;
        expect(() => checkAppearanceAttributes({ [attribute]: value })).toThrow(
          expect.objectContaining({ kind: 'invalid', details: expect.objectContaining({ field }) }),
        );
        // what was stored before it was checked stays out of pages
        expect(appearanceOf({ [attribute]: value })[name]).toBeUndefined();
      }
    });
  }

  it('are all looked at', () => {
    const all = Object.fromEntries(names.map((name) => [appearanceAttributes[name], wrong[name][0] ?? '']));
    expect(() => checkAppearanceAttributes(all)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({
          faults: names.map((name) => expect.objectContaining({ path: ['attributes', appearanceAttributes[name]] })),
        }),
      }),
    );
  });
});
