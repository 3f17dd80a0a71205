import { useWindowEvent } from '@mantine/hooks';

/** Takes the keys that are typed while the field that they are meant for is not there. */
export function useTypeAhead(onType: (key: string) => void, isWaiting = () => true): void {
  useWindowEvent('keydown', (event) => {
    if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey || !isWaiting()) return;
    event.preventDefault();
    onType(event.key);
  });
}
