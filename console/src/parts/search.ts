/** Reads the text that is searched for from the address. */
export const textSearch = ({ search }: Record<string, unknown>): { search?: string } =>
  search === undefined || search === '' ? {} : { search: String(search) };
