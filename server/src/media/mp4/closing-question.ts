/**
 * What closes a recorded file (`closed-file.ts`) is found by the process of its folder: reading and writing its pictures
 * takes up to 0.1 s of a core, up to 41 ms of it at once, and the server's thread has others to answer.
 */
import type { FolderFiles } from '#lib/folder/folder-files.ts';
import type { Patch } from './sample-in-place.ts';

/** The name of the function. */
export const closingName = 'closing';

/** Throws as `FolderFiles.run` does. */
export async function askForPatches(
  files: Pick<FolderFiles, 'run'>,
  path: string,
  { headBytes, bytes }: { readonly headBytes: number; readonly bytes: number },
): Promise<readonly Patch[]> {
  return decodedPatches(await files.run(closingName, path, [headBytes, bytes]));
}

/** A place takes 6 bytes, a length 4. */
const entryBytes = 10;
/** A message holds no more. Files whose patches are longer, as long as all of their pictures, are played as they are. */
const maxBytes = 90 * 1024 * 1024;

export function encodedPatches(patches: readonly Patch[]): Buffer {
  const all = patches.reduce((sum, { bytes }) => sum + entryBytes + bytes.length, 0);
  if (all > maxBytes) return Buffer.alloc(0);
  return Buffer.concat(
    patches.flatMap(({ at, bytes }) => {
      const entry = Buffer.alloc(entryBytes);
      entry.writeUIntBE(at, 0, 6);
      entry.writeUInt32BE(bytes.length, 6);
      return [entry, bytes];
    }),
  );
}

function decodedPatches(message: Buffer): Patch[] {
  const patches: Patch[] = [];
  for (let from = 0; from + entryBytes <= message.length;) {
    const begin = from + entryBytes;
    const until = begin + message.readUInt32BE(from + 6);
    patches.push({ at: message.readUIntBE(from, 6), bytes: message.subarray(begin, until) });
    from = until;
  }
  return patches;
}
