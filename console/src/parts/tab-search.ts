/** Reads the open tab from the address. */
export const tabSearch = ({ tab }: Record<string, unknown>): { tab?: string } =>
  typeof tab === 'string' ? { tab } : {};
