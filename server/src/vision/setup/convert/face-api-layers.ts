/**
 * The layers that face-api's networks share, as ONNX operations. face-api ships only weights: these follow its source
 * (convLayer, depthwiseSeparableConv, denseBlock, NetInput.normalize).
 */
import { OnnxGraph, type Tensor, type Value } from './onnx.ts';
import { convolutionKernel, depthwiseKernel, type Weights } from './tfjs.ts';

/** Mean colour that its networks subtract before dividing by 255 (face-api: NetInput.normalize). */
export const meanRgb: readonly number[] = [122.782, 117.001, 104.298];

export interface Convolution {
  readonly stride: number;
  /** `same` as TensorFlow pads it; `none` pads nothing. */
  readonly padding: 'same' | 'none';
  readonly group?: number;
}

export function convolve(
  graph: OnnxGraph,
  input: Value,
  kernel: Tensor,
  bias: Float32Array | null,
  { stride, padding, group = 1 }: Convolution,
): Value {
  const inputs = [input, graph.constant(kernel)];
  if (bias) inputs.push(graph.constant({ data: bias, shape: [bias.length] }));
  return graph.op('Conv', inputs, {
    kernel_shape: kernel.shape.slice(2),
    strides: [stride, stride],
    group,
    ...(padding === 'same' ? { auto_pad: 'SAME_UPPER' } : { pads: [0, 0, 0, 0] }),
  });
}

/** The mean is not folded into the first layer: that one pads with zeros after the mean is subtracted. */
export function normalized(graph: OnnxGraph, input: Value): Value {
  const mean = graph.constant({ data: Float32Array.from(meanRgb), shape: [1, 3, 1, 1] });
  const scale = graph.constant({ data: Float32Array.of(1 / 255), shape: [1] });
  return graph.op('Mul', [graph.op('Sub', [input, mean]), scale]);
}

/** A full convolution with its bias. */
export function convolution(
  graph: OnnxGraph,
  weights: Weights,
  input: Value,
  name: string,
  stride: number,
): Value {
  const kernel = convolutionKernel(weights.get(`${name}/filters`));
  const bias = weights.get(`${name}/bias`).data;
  return convolve(graph, input, kernel, bias, { stride, padding: 'same' });
}

/** A convolution of each channel alone, and one of all channels at each point. */
export function separable(
  graph: OnnxGraph,
  weights: Weights,
  input: Value,
  name: string,
  stride: number,
): Value {
  const depthwise = depthwiseKernel(weights.get(`${name}/depthwise_filter`));
  const group = depthwise.shape[0]!;
  const apart = convolve(graph, input, depthwise, null, { stride, padding: 'same', group });
  const pointwise = convolutionKernel(weights.get(`${name}/pointwise_filter`));
  const bias = weights.get(`${name}/bias`).data;
  return convolve(graph, apart, pointwise, bias, { stride: 1, padding: 'none' });
}

/** 112 px crop -> 256 features, by four densely connected blocks (face-api: FaceFeatureExtractor). */
export function denseFeatures(graph: OnnxGraph, weights: Weights, input: Value): Value {
  let x = normalized(graph, input);
  for (const block of ['dense0', 'dense1', 'dense2', 'dense3']) {
    x = denseBlock(graph, weights, x, block);
  }
  return graph.op('AveragePool', [x], { kernel_shape: [7, 7], strides: [2, 2] });
}

function denseBlock(graph: OnnxGraph, weights: Weights, input: Value, block: string): Value {
  const relu = (value: Value): Value => graph.op('Relu', [value]);
  const next = (value: Value, layer: string): Value =>
    separable(graph, weights, value, `${block}/${layer}`, 1);
  // The first block begins with a full convolution, the others with a separable one.
  const first = block === 'dense0' ? convolution : separable;
  const one = relu(first(graph, weights, input, `${block}/conv0`, 2));
  const two = graph.op('Add', [one, next(one, 'conv1')]);
  const three = graph.op('Add', [two, next(relu(two), 'conv2')]);
  return relu(graph.op('Add', [three, next(relu(three), 'conv3')]));
}

/** A fully connected layer. */
export function connected(graph: OnnxGraph, weights: Weights, input: Value, name: string): Value {
  const full = graph.constant(weights.get(`${name}/weights`));
  const bias = graph.constant(weights.get(`${name}/bias`));
  return graph.op('Add', [graph.op('MatMul', [graph.op('Flatten', [input]), full]), bias]);
}
