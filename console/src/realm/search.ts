/** The state of the settings in their address: the section, or a text that is searched for in all of them. */
export const settingsSearch = ({ section, search }: Record<string, unknown>) => ({
  ...(section !== undefined && { section: String(section) }),
  ...(search !== undefined && search !== '' && { search: String(search) }),
});
