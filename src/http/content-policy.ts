/** A content security policy of a page of ours: nothing but what `sources` allows, and no frame of another page around it. */
export const contentPolicy = (sources: Readonly<Record<string, string>>): string =>
  Object.entries({
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    ...sources,
    'frame-ancestors': "'none'",
  })
    .map(([directive, source]) => `${directive} ${source}`)
    .join('; ');
