import { useParams } from '@tanstack/react-router';
import { type Area, useMay } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { Empty } from './display.js';
import { texts } from './texts.js';

interface EmptyListProps {
  area: Area;
  title: string;
  hint: string;
  /** whether a search or a filter has left nothing */
  isFiltered: boolean;
  /** the button that creates an object, if the caller may */
  create?: string | undefined;
}

/** In place of an empty list: what would be here, and how the caller can change that. */
export function EmptyList({ area: { icon, all }, title, hint, isFiltered, create }: EmptyListProps) {
  const t = useText(texts);
  const may = useMay(useParams({ from: '/$realm' }).realm);
  if (isFiltered) return <Empty icon={icon} title={title} hint={t('noMatch')} />;
  if (!may(all)) {
    const permission = all.toLowerCase().replaceAll('_', '-');
    return <Empty icon={icon} title={t('noneVisible')} hint={t('noneVisibleHint', { permission })} />;
  }
  return <Empty icon={icon} title={title} hint={create ? `${hint} ${t('createFirst', { action: create })}` : hint} />;
}
