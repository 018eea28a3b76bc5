/** By how much a picture is turned clockwise. */
export type Rotation = 0 | 90 | 180 | 270;
