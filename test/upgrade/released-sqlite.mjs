// Loaded ahead of the last release. It uses better-sqlite3, which is no longer installed, or `node:sqlite`: where Node.js lacks that, it
// gets the package with the same API.
const builtinModule = process.getBuiltinModule;
if (builtinModule('node:sqlite') === undefined) {
  const sqlite = await import('@photostructure/sqlite');
  process.getBuiltinModule = (name) => (name === 'node:sqlite' ? sqlite : builtinModule(name));
}
