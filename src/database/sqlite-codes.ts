/** The names of SQLite's codes for errors, by their numbers. */
const primary = [
  'OK',
  'ERROR',
  'INTERNAL',
  'PERM',
  'ABORT',
  'BUSY',
  'LOCKED',
  'NOMEM',
  'READONLY',
  'INTERRUPT',
  'IOERR',
  'CORRUPT',
  'NOTFOUND',
  'FULL',
  'CANTOPEN',
  'PROTOCOL',
  'EMPTY',
  'SCHEMA',
  'TOOBIG',
  'CONSTRAINT',
  'MISMATCH',
  'MISUSE',
  'NOLFS',
  'AUTH',
  'FORMAT',
  'RANGE',
  'NOTADB',
  'NOTICE',
  'WARNING',
];

/** Suffixes of the extended codes, which are counted from 1 in the bits above the lowest eight. `-`: none. */
const extensions: Readonly<Record<string, string>> = {
  ERROR: 'MISSING_COLLSEQ RETRY SNAPSHOT RESERVESIZE KEY UNABLE',
  ABORT: '- ROLLBACK',
  BUSY: 'RECOVERY SNAPSHOT TIMEOUT',
  LOCKED: 'SHAREDCACHE VTAB',
  READONLY: 'RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY',
  IOERR: `READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS CHECKRESERVEDLOCK
    LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH CONVPATH VNODE AUTH BEGIN_ATOMIC
    COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE BADKEY CODEC`,
  CORRUPT: 'VTAB SEQUENCE INDEX',
  CANTOPEN: 'NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK',
  CONSTRAINT: 'CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE',
  AUTH: 'USER',
  NOTICE: 'RECOVER_WAL RECOVER_ROLLBACK RBU',
  WARNING: 'AUTOINDEX',
};

/** The generic messages of SQLite's errors, by code. */
const texts: Readonly<Record<string, string>> = {
  'database is locked': 'BUSY',
  'database table is locked': 'LOCKED',
  'out of memory': 'NOMEM',
  'attempt to write a readonly database': 'READONLY',
  interrupted: 'INTERRUPT',
  'disk I/O error': 'IOERR',
  'database disk image is malformed': 'CORRUPT',
  'database or disk is full': 'FULL',
  'unable to open database file': 'CANTOPEN',
  'locking protocol': 'PROTOCOL',
  'database schema has changed': 'SCHEMA',
  'string or blob too big': 'TOOBIG',
  'datatype mismatch': 'MISMATCH',
  'file is not a database': 'NOTADB',
};

/** The name of an error's code by its text, for an error without a number. `SQLITE_ERROR` if the text is unknown. */
export function nameOfSqliteText(text: string): string {
  const [, constraint] = /^(UNIQUE|NOT NULL|CHECK|FOREIGN KEY) constraint failed/.exec(text) ?? [];
  if (constraint !== undefined) return `SQLITE_CONSTRAINT_${constraint.replace(' ', '')}`;
  return `SQLITE_${texts[text] ?? 'ERROR'}`;
}

/** The name of a code: 2067 is `SQLITE_CONSTRAINT_UNIQUE`. An unknown extension is left out. */
export function nameOfSqliteCode(code: number): string {
  const name = primary[code & 0xff] ?? 'ERROR';
  const extension = extensions[name]?.split(/\s+/)[(code >> 8) - 1];
  return extension === undefined ? `SQLITE_${name}` : `SQLITE_${name}_${extension}`;
}
