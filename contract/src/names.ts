/** The documents' words in place of a name, wherever one is answered. */

/** Whom nobody enrolled (CFL-031). */
export const unknownName = 'Unknown';
/** Somebody whom this reader may not name (C-1009); a browser shows its own sentence for it. */
export const hiddenName = 'Known person';
/** Somebody recognized who was erased since; a browser shows its own sentence for it. */
export const erasedName = 'Erased person';
