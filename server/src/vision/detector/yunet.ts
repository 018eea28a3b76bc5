/**
 * YuNet (libfacedetection, as OpenCV's FaceDetectorYN reads it): three grids of cells, each of which proposes one
 * face by its values for class and object, for the box, and for five points.
 */
import type { Point } from '#lib/geometry.ts';
import type { Decode, Proposal } from './detection.ts';

const cells = [8, 16, 32] as const;

export const yunet: Decode = (output, { width: inputWidth }, minScore) => {
  const found: Proposal[] = [];
  for (const cell of cells) {
    const classes = output[`cls_${cell}`]!;
    const objects = output[`obj_${cell}`]!;
    const boxes = output[`bbox_${cell}`]!;
    const keys = output[`kps_${cell}`]!;
    const columns = inputWidth / cell;
    for (let i = 0; i < classes.length; i++) {
      const score = Math.sqrt(within01(classes[i]!) * within01(objects[i]!));
      if (score < minScore) continue;
      const column = i % columns;
      const row = Math.floor(i / columns);
      const [dx = 0, dy = 0, wide = 0, high = 0] = boxes.subarray(i * 4, i * 4 + 4);
      const width = Math.exp(wide) * cell;
      const height = Math.exp(high) * cell;
      const box = {
        x: (column + dx) * cell - width / 2,
        y: (row + dy) * cell - height / 2,
        width,
        height,
      };
      const points = Array.from({ length: 5 }, (_, k): Point => [
        (column + keys[i * 10 + k * 2]!) * cell,
        (row + keys[i * 10 + k * 2 + 1]!) * cell,
      ]);
      found.push({ box, score, points });
    }
  }
  return found;
};

const within01 = (value: number): number => Math.min(1, Math.max(0, value));
