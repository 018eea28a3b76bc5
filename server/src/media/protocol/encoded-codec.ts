/** What players are told of pictures that are encoded anew (`h264-encoder.ts`): constrained baseline, level 3.1. */
export const encodedCodec = 'avc1.42c01f';
