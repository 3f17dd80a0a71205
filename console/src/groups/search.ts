/** The state of the tree of groups in its address: a text that is searched for, and whether only default groups are shown. */
export const groupSearch = ({ search, defaults }: Record<string, unknown>) => ({
  ...(search !== undefined && search !== '' && { search: String(search) }),
  ...(defaults === true && { defaults }),
});
