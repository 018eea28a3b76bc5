import type { Face } from '@nazar/contract/faces.ts';

/** What one can do with a person who is already known. */
export type FaceAction = 'details' | 'images' | 'edit' | 'consent' | 'export' | 'erase' | 'remove';

export interface OpenDialog {
  readonly action: FaceAction;
  readonly face: Face;
}
