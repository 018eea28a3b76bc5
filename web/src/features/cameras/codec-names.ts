/** Names of codecs on screens, by FFmpeg's. */
export const codecNames: Readonly<Record<string, string>> = {
  h264: 'H.264',
  hevc: 'H.265',
  mjpeg: 'MJPEG',
  aac: 'AAC',
  pcm_alaw: 'G.711',
  pcm_mulaw: 'G.711',
};
