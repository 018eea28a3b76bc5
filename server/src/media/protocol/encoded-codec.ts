/** The codec string for players of what `codec/h264-encoder.ts` encodes: H.264, constrained baseline, level 3.1. */
export const encodedCodec = 'avc1.42c01f';
