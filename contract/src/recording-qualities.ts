/** What of a camera is recorded; without schemas, because pages show it that send nothing. */

/** REC-036: lines of the picture that each asks for. Nothing is encoded: the stream nearest in height is recorded. */
export const qualityHeights = { low: 480, medium: 720, high: 1080, ultra: 2160 } as const;
export const recordingQualities = ['low', 'medium', 'high', 'ultra'] as const;
export type RecordingQuality = (typeof recordingQualities)[number];
