export { keepInArchive } from "./archive.ts";
export { fileFailure, storageFull } from "./failures.ts";
export { hadJournal, hideStateFolder, makeStateFolder } from "./folder.ts";
export {
  locateStateFolder,
  type StateFolder,
  type StateFolderSearch,
  type WorkingTrees,
} from "./locate.ts";
export { JOURNAL_FILE, JOURNAL_SIDE_SUFFIXES } from "./names.ts";
export {
  draftOf,
  nameUnlessTaken,
  newFileFailure,
  putInPlace,
  type Replacing,
  removeDraft,
  syncFile,
  syncFolder,
} from "./new-file.ts";
export { pathWithin, realPath, realPathOfFuture } from "./paths.ts";
export { entriesOpenToOthers, FILE_MODE, FOLDER_MODE, tighten } from "./rights.ts";
export { assertSafe } from "./safety.ts";
