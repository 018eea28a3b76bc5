/** The documents' words in place of a name, wherever one is answered. */

/** Whom nobody enrolled. */
export const unknownName = 'Unknown';
/** Somebody whom this reader may not name; a browser shows its own sentence for it. */
export const hiddenName = 'Known person';
/** Somebody recognized who was erased since; a browser shows its own sentence for it. */
export const erasedName = 'Erased person';
