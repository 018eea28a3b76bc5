/** PReLU as ONNX Runtime is fast with it. */
import type { OnnxGraph, Value } from './onnx.ts';

/**
 * Writes `a x + (1 - a) relu(x)`, a slope per channel, as two convolutions of one pixel and a Relu. ONNX Runtime's own
 * PRelu leaves the blocked layout of convolutions and took 60 % of a MobileFaceNet; this stays in it, and differs by
 * rounding only.
 */
export function prelu(graph: OnnxGraph, value: Value, slopes: Float32Array): Value {
  const scaled = (from: Value, by: Float32Array): Value => {
    const kernel = graph.constant({ data: by, shape: [by.length, 1, 1, 1] });
    return graph.op('Conv', [from, kernel], { kernel_shape: [1, 1], group: by.length });
  };
  const above = graph.op('Relu', [value]);
  const rest = slopes.map((slope) => 1 - slope);
  return graph.op('Add', [scaled(value, slopes), scaled(above, rest)]);
}
