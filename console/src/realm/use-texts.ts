import { useDebouncedValue } from '@mantine/hooks';
import { useOnce } from '../session/graphql.js';
import { asPages, joinPages, type Pages, usePages } from '../session/pages.js';
import { RealmTexts, StandardTexts } from './documents.js';

/** A text of pages and emails: one of the realm, or a built-in one. */
interface TextRow {
  id: string;
  key: string;
  value: string;
  /** whether the realm has it in place of a built-in one */
  isOwn: boolean;
}

/** Whether the key or the text contains the search text. */
const matches = ({ key, value }: TextRow, search: string): boolean =>
  `${key} ${value}`.toLowerCase().includes(search.toLowerCase());

interface Texts {
  pages: Pages<unknown, TextRow>;
  /** what the realm has in place of the built-in text with this key */
  ownOf(key: string): string | undefined;
}

/** The texts of a realm in a locale, and the built-in ones that they do not replace, which contain the search text. */
export function useTexts(realm: string, typed: string, search: string, isOnlyOwn: boolean): Texts {
  const [locale] = useDebouncedValue(typed, 300);
  const own = usePages(RealmTexts, { realm, locale }, (data) => {
    const found = data.realm?.localizationTexts;
    return found && { ...found, nodes: found.nodes.map((node) => ({ ...node, id: node.key, isOwn: true })) };
  });
  const standard = useOnce(StandardTexts, { realm, locale });
  const replaced = new Set(own.nodes.map(({ key }) => key));
  const others = (standard.data?.realm?.standardTexts ?? [])
    .filter(({ key }) => !isOnlyOwn && !replaced.has(key))
    .map((text) => ({ ...text, id: text.key, isOwn: false }));
  const all = joinPages(own, asPages(standard, others));
  const nodes = all.nodes.filter((row) => matches(row, search));
  return {
    pages: { ...all, nodes, total: all.hasMore ? all.total : nodes.length },
    ownOf: (key) => own.nodes.find((node) => node.key === key)?.value,
  };
}
