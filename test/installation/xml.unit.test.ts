import { describe, expect, it } from 'vitest';
import { parseXml, writeXml } from '../../src/services/core/xml.js';

const strange = "a\"><b c='d'/>&amp; ]]> \u0001 \ud800 \u{1f600}";

describe('an element', () => {
  it('is written with attributes, text, lists, and prefixes', async () => {
    const element = { 'md:a': { '@xmlns:md': 'urn:x', '@on': 'true', b: ['1', { '@k': 'v', '#': '2' }, {}], c: '' } };
    expect(await writeXml(element)).toBe(
      '<md:a xmlns:md="urn:x" on="true">\n    <b>1</b>\n    <b k="v">2</b>\n    <b/>\n    <c/>\n</md:a>',
    );
    expect(await writeXml(element, { pretty: false })).toBe(
      '<md:a xmlns:md="urn:x" on="true"><b>1</b><b k="v">2</b><b/><c/></md:a>',
    );
  });

  it('is read as it was written, with replacements for characters that XML does not have', async () => {
    const written = await writeXml({ a: { '@name': strange, text: strange } });
    const stored = strange.replace('\u0001', '\ufffd').replace('\ud800', '\ufffd');
    expect(written).not.toContain('<b');
    expect(await parseXml(written, 'xml')).toEqual({ a: { '@name': stored, text: stored } });
  });
});
