/**
 * The address of a server in the line that it prints when it serves; undefined until then.
 * @param {string} output
 * @returns {string | undefined}
 */
export const startedUrl = (output) => /"url":"([^"]+)","msg":"Realmgate is ready"/.exec(output)?.[1];
