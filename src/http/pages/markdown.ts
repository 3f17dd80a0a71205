import GithubSlugger from 'github-slugger';
import { Marked } from 'marked';

/** The HTML of a document. Headings have the IDs that GitHub gives them, which links of the documents name. */
export async function htmlOf(text: string): Promise<string> {
  const slugger = new GithubSlugger();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = this.parser.parseInline(tokens, this.parser.textRenderer);
        return `<h${depth} id="${slugger.slug(title)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  const html = await marked.parse(text);
  // code and tables can be scrolled by the keyboard, and a cell that says nothing is no heading
  return html.replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">').replaceAll('<th></th>', '<td></td>');
}
