/** The documents' words in place of a name, wherever one is answered. */

/** A person who is not enrolled. */
export const unknownName = 'Unknown';
/** A person whom this reader may not name; a browser shows its own sentence for it. */
export const hiddenName = 'Known person';
/** A recognized person who was erased since; a browser shows its own sentence for it. */
export const erasedName = 'Erased person';
