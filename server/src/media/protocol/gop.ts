/**
 * How much of one group of pictures (GOP) hosts and the server keep. Smart codecs send a key frame every 10 s or so;
 * beyond this bound a new viewer waits for the next one.
 */
const maxPictures = 900;
const maxBytes = 16 * 1024 * 1024;

/** Whether the group of pictures has reached its bound. */
export const isGopFull = (pictures: number, bytes: number): boolean =>
  pictures >= maxPictures || bytes > maxBytes;
