/** Saves a text as a file of the reader. */
export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // the browser has begun to read it by then
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
