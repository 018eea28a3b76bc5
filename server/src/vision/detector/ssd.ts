/**
 * SSD as TensorFlow's object detection makes it: for each prior box, how the face's box differs from it and how
 * likely each class is; the first class is "nothing", the second a face. The priors are an output too, `anchors` (a
 * constant of the graph): top, left, bottom and right in fractions of the input.
 */
import type { Decode, Proposal } from './detection.ts';

/** The factors with which the differences of places and of sizes were multiplied for training. */
const placeScale = 10;
const sizeScale = 5;
const faceClass = 1;

export const ssd: Decode = (output, { width: inputWidth, height: inputHeight }, minScore) => {
  const boxes = output['boxes']!;
  const classes = output['classes']!;
  const anchors = output['anchors']!;
  const count = boxes.length / 4;
  const perBox = classes.length / count;
  const minLogit = Math.log(minScore / (1 - minScore));
  const found: Proposal[] = [];
  for (let i = 0; i < count; i++) {
    const logit = classes[i * perBox + faceClass]!;
    if (logit < minLogit) continue;
    const [dy = 0, dx = 0, taller = 0, wider = 0] = boxes.subarray(i * 4, i * 4 + 4);
    const [top = 0, left = 0, bottom = 0, right = 0] = anchors.subarray(i * 4, i * 4 + 4);
    const [anchorWidth, anchorHeight] = [right - left, bottom - top];
    const width = Math.exp(wider / sizeScale) * anchorWidth;
    const height = Math.exp(taller / sizeScale) * anchorHeight;
    const middleX = left + anchorWidth / 2 + (dx / placeScale) * anchorWidth;
    const middleY = top + anchorHeight / 2 + (dy / placeScale) * anchorHeight;
    const box = {
      x: (middleX - width / 2) * inputWidth,
      y: (middleY - height / 2) * inputHeight,
      width: width * inputWidth,
      height: height * inputHeight,
    };
    found.push({ box, score: 1 / (1 + Math.exp(-logit)), points: null });
  }
  return found;
};
