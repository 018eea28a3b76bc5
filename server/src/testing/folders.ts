/** Recording folders as servers under test read them: in their own process, without one for each folder. */
import type { Folder } from '#lib/folder/folder-files.ts';
import { LocalFiles } from '#lib/folder/local-files.ts';
import { closingFunctions } from '#media/mp4/closing-function.ts';

export const testFolder = (folder: string, file: string): Folder =>
  new LocalFiles(folder, file, closingFunctions);
