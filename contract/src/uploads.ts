/** Bounds of the files in a form that server and pages know. */

/** Of a larger one only as much is read as tells that it is too large. */
export const maxFileBytes = 10 * 1024 * 1024;
