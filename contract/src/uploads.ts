/** Bounds of the files in a form that server and pages know. */

/** A larger file is read only as far as needed to see that it is too large. */
export const maxFileBytes = 10 * 1024 * 1024;
