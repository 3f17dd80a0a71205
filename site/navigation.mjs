/**
 * The navigation of the site: the tables of the section "Documentation" in the README. Each row is a question with its pages.
 * @param {string} readme
 * @param {(href: string) => string | undefined} addressOf
 */
export function navigationOf(readme, addressOf) {
  const [, section = ''] = readme.split(/^## Documentation$/m);
  const groups = section.split(/^## /m)[0].split(/^### /m).slice(1);
  return groups.map((group) => ({
    text: group.slice(0, group.indexOf('\n')),
    items: [...group.matchAll(/^\| (.+?) \| (.+) \|$/gm)].flatMap(([, question, pages]) =>
      itemsOf(question, pages, addressOf),
    ),
  }));
}

function itemsOf(question, pages, addressOf) {
  const links = [...pages.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]
    .map(([, text, href]) => ({ text, link: addressOf(href) }))
    .filter(({ link }) => link !== undefined);
  const [first, ...others] = links;
  if (!first) return [];
  return [{ text: question, link: first.link, ...(others.length > 0 && { items: others, collapsed: true }) }];
}
