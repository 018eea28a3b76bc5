/** `closingPatches` as a function on files, for the process of a recording folder: only there is it loaded. */
import type { FileFunctions } from '#lib/folder/folder-files.ts';
import { closingPatches } from './closed-file.ts';
import { closingName, encodedPatches } from './closing-question.ts';

export const closingFunctions: FileFunctions = {
  [closingName]: async (file, [from = 0, until = 0]) =>
    encodedPatches(await closingPatches(file, from, until)),
};
