import { copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** Files that browsers show by themselves. Others are copied as plain text. */
const shown = /\.(svg|png|json|txt)$/;

/**
 * Where links of documents lead on the site: to the page of a document, or to a copy of another file of the repository.
 * @param {string} project folder of the repository
 * @param {readonly string[]} documents
 */
export function linksOf(project, documents) {
  /** files that documents link to, by their path on the site */
  const files = new Map();

  /** The address of a link in a document, undefined if the site has nothing to show there. */
  const addressOf = (document, href) => {
    if (/^([a-z]+:|#|\/)/.test(href)) return href;
    const [, path, anchor] = /^([^#]*)(#.*)?$/.exec(href);
    const file = posix.join(posix.dirname(document), decodeURI(path));
    if (file === 'README.md') return `/${anchor ?? ''}`;
    if (documents.includes(file)) return `/${file.replace(/\.md$/, '.html')}${anchor ?? ''}`;
    const origin = join(project, file);
    if (!existsSync(origin)) throw new Error(`${document}: there is no file ${file}`);
    if (statSync(origin).isDirectory() || file.endsWith('.br')) return undefined;
    const copy = shown.test(file) ? file : `${file}.txt`;
    files.set(copy, origin);
    return `/${copy}`;
  };

  /** A plugin of markdown-it that gives links these addresses. Links without an address become text. */
  const plugin = (markdown) => {
    markdown.core.ruler.push('links-of-documents', ({ tokens, env }) => {
      for (const { children } of tokens) adapt(children ?? [], documentOf(env));
    });
  };

  function adapt(tokens, document) {
    const open = [];
    for (const token of tokens) {
      if (token.type === 'link_open') {
        const address = addressOf(document, token.attrGet('href'));
        open.push(address);
        if (address === undefined) Object.assign(token, { type: 'text_open', tag: 'span', attrs: [] });
        else token.attrSet('href', address);
      }
      if (token.type === 'link_close' && open.pop() === undefined)
        Object.assign(token, { type: 'text_close', tag: 'span' });
    }
  }

  /** Copies the files that documents link to. */
  const copyFiles = (folder) => {
    for (const [copy, origin] of files) {
      mkdirSync(dirname(join(folder, copy)), { recursive: true });
      copyFileSync(origin, join(folder, copy));
    }
  };

  return { addressOf, plugin, copyFiles };
}

const documentOf = ({ relativePath }) => (relativePath === 'index.md' ? 'README.md' : relativePath);
