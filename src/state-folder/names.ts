/** The journal's file in the state folder; it makes a folder a state folder. */
export const JOURNAL_FILE = "journal.sqlite";

/** What SQLite puts beside the journal's file, by the end of its name. */
export const JOURNAL_SIDE_SUFFIXES = ["-wal", "-shm", "-journal"] as const;

export const JOURNAL_SIDE_FILES = JOURNAL_SIDE_SUFFIXES.map((suffix) => JOURNAL_FILE + suffix);

/** Hides the state folder from git without touching a file of the user. */
export const IGNORE_FILE = ".gitignore";

/** Holds the exact bytes of what was imported. */
export const ARCHIVE_FOLDER = "archive";
