/** How much of a live picture is shown: as it comes, the pictures that stand alone, or a still now and then. */
export const paces = ['streams', 'keyFrames', 'stills'] as const;
export type Pace = (typeof paces)[number];
