/**
 * Times are known no more finely than this. Where less lies between the end of one recorded file and the beginning of
 * the next, nothing is missing: for the index, for playback and in exports alike.
 */
export const seamMs = 250;
