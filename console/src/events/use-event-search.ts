import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { EventSearch } from './search.js';

/** The state of a list of events in the address, and how it is changed. */
export function useEventSearch(route: '/$realm/audit' | '/$realm/logins') {
  const { realm } = useParams({ from: '/$realm' });
  const search: EventSearch = useSearch({ from: route });
  const navigate = useNavigate();
  const change = (changes: Partial<EventSearch>) =>
    navigate({ from: route, search: (before: EventSearch) => ({ ...before, ...changes }), replace: true });
  return { realm, search, change };
}
