/** The clock of media times: that of RTP, and of the files that are written. */
export const ticksPerSecond = 90_000;
