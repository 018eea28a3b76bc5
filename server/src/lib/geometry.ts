/** Places on a picture, in pixels from its top left unless stated otherwise. Types only. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

export type Point = readonly [x: number, y: number];
