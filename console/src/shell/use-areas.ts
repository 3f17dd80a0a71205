import { useRouter } from '@tanstack/react-router';
import { useMay } from './permissions.js';

/** The areas that the caller may open, from the routes. */
export function useAreas(realm: string) {
  const router = useRouter();
  const may = useMay(realm);
  return Object.values(router.routesById)
    .flatMap(({ fullPath, options }) =>
      options.staticData?.area ? [{ path: fullPath, ...options.staticData.area }] : [],
    )
    .filter(({ permission }) => may(permission));
}
