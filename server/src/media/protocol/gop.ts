/**
 * How much is kept of one group of pictures, by hosts and by the server alike. Smart codecs send a key frame every 10 s
 * or so; beyond this a new viewer waits for the next one.
 */
const maxPictures = 900;
const maxBytes = 16 * 1024 * 1024;

/** Whether no more may be kept of a group of pictures. */
export const isGopFull = (pictures: number, bytes: number): boolean =>
  pictures >= maxPictures || bytes > maxBytes;
