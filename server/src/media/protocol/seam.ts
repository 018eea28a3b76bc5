/**
 * Less than this between the end of one recorded file and the beginning of the next is how finely times are known:
 * nothing is missing there, for the index, for playing and in films alike.
 */
export const seamMs = 250;
