/**
 * VLC 3 reads the first EXT-X-MAP of a playlist and no other (modules/demux/hls/playlist/Parser.cpp), begins anew at
 * each discontinuity, and then finds "no moov before mdat". It plays on where files bring their own beginning along,
 * which no other player needs; whether all others tolerate it is not known.
 */
export const needsOwnHeads = (userAgent = ''): boolean => userAgent.startsWith('VLC/3.');
