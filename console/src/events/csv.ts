/** Objects as CSV (RFC 4180). The columns are the fields of the first object; values that are objects are JSON. */
export function csvOf(rows: object[]): string {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== '__typename');
  const lines = rows.map((row) => columns.map((name) => cell((row as Record<string, unknown>)[name])));
  return [columns.map(cell), ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

function cell(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  // spreadsheets would take such a text as a formula
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
