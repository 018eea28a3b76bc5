/**
 * The two face-api networks that recognition uses, as ONNX graphs. face-api ships only weights: this file writes down
 * the layers of its source (faceRecognitionNet, faceLandmark68Net). Both take RGB 0 to 255 as float32
 * [N, 3, side, side]; scale layers and the mean are folded into convolutions where that is exact.
 */
import {
  connected,
  convolve,
  denseFeatures,
  meanRgb,
  type Convolution,
} from './face-api-layers.ts';
import { OnnxGraph, type Tensor, type Value } from './onnx.ts';
import { convolutionKernel, type Weights } from './tfjs.ts';

/** dlib's ResNet of 29 layers: 150 px chip -> 128 numbers. */
export function recognitionGraph(weights: Weights): Buffer {
  const graph = new OnnxGraph('face_recognition');
  const net = new ResNet(graph, weights);
  let x = graph.input('input', ['N', 3, 150, 150]);
  x = net.first(x, 'conv32_down');
  x = graph.op('MaxPool', [x], { kernel_shape: [3, 3], strides: [2, 2] });
  // After the stem the picture is 35 px wide with 32 channels.
  for (const name of ['conv32_1', 'conv32_2', 'conv32_3']) x = net.block(x, name);
  x = net.narrow(x, 'conv64_down', { side: 35, channels: 32 });
  for (const name of ['conv64_1', 'conv64_2', 'conv64_3']) x = net.block(x, name);
  x = net.narrow(x, 'conv128_down', { side: 17, channels: 64 });
  for (const name of ['conv128_1', 'conv128_2']) x = net.block(x, name);
  x = net.narrow(x, 'conv256_down', { side: 8, channels: 128 });
  for (const name of ['conv256_1', 'conv256_2']) x = net.block(x, name);
  x = net.narrow(x, 'conv256_down_out', { side: 4, channels: 256 });
  x = graph.op('Flatten', [graph.op('GlobalAveragePool', [x])]);
  x = graph.op('MatMul', [x, graph.constant(weights.get('fc'))]);
  graph.output('embedding', x, ['N', 128]);
  return graph.build();
}

class ResNet {
  readonly #graph: OnnxGraph;
  readonly #weights: Weights;

  constructor(graph: OnnxGraph, weights: Weights) {
    this.#graph = graph;
    this.#weights = weights;
  }

  /** The first layer also subtracts the mean and divides by 255; exact because it pads nothing. */
  first(input: Value, name: string): Value {
    const { kernel, bias } = this.#folded(name);
    const [outputs = 0, inputs = 0, height = 0, width = 0] = kernel.shape;
    const area = height * width;
    for (let o = 0; o < outputs; o++) {
      for (let i = 0; i < inputs; i++) {
        for (let p = 0; p < area; p++) {
          const at = (o * inputs + i) * area + p;
          kernel.data[at]! /= 255;
          bias[o]! -= kernel.data[at]! * meanRgb[i]!;
        }
      }
    }
    const shape = { stride: 2, padding: 'none' } as const;
    return this.#graph.op('Relu', [convolve(this.#graph, input, kernel, bias, shape)]);
  }

  block(input: Value, name: string): Value {
    const once = this.#layer(input, `${name}/conv1`, { stride: 1, padding: 'same' }, true);
    const twice = this.#layer(once, `${name}/conv2`, { stride: 1, padding: 'same' }, false);
    return this.#graph.op('Relu', [this.#graph.op('Add', [twice, input])]);
  }

  /** Halves the picture; both branches are padded with zeros to the larger size and channel count. */
  narrow(input: Value, name: string, from: { side: number; channels: number }): Value {
    const graph = this.#graph;
    let left = this.#layer(input, `${name}/conv1`, { stride: 2, padding: 'none' }, true);
    left = this.#layer(left, `${name}/conv2`, { stride: 1, padding: 'same' }, false);
    let right = graph.op('AveragePool', [input], { kernel_shape: [2, 2], strides: [2, 2] });
    const channels = this.#weights.get(`${name}/conv1/conv/filters`).shape[3]!;
    const missing = Math.floor(from.side / 2) - Math.floor((from.side - 1) / 2);
    if (missing > 0) left = this.#pad(left, 0, missing);
    if (channels > from.channels) right = this.#pad(right, channels - from.channels, 0);
    return graph.op('Relu', [graph.op('Add', [right, left])]);
  }

  #pad(input: Value, channels: number, side: number): Value {
    const pads = this.#graph.integers([0, 0, 0, 0, 0, channels, side, side]);
    return this.#graph.op('Pad', [input, pads]);
  }

  #layer(input: Value, name: string, shape: Convolution, relu: boolean): Value {
    const { kernel, bias } = this.#folded(name);
    const output = convolve(this.#graph, input, kernel, bias, shape);
    return relu ? this.#graph.op('Relu', [output]) : output;
  }

  /** The convolution and the scale layer after it as one convolution. */
  #folded(name: string): { kernel: Tensor; bias: Float32Array } {
    const kernel = convolutionKernel(this.#weights.get(`${name}/conv/filters`));
    const scale = this.#weights.get(`${name}/scale/weights`).data;
    const shift = this.#weights.get(`${name}/scale/biases`).data;
    const perOutput = kernel.data.length / scale.length;
    for (let i = 0; i < kernel.data.length; i++) {
      kernel.data[i]! *= scale[Math.floor(i / perOutput)]!;
    }
    const bias = this.#weights
      .get(`${name}/conv/bias`)
      .data.map((value, i) => value * scale[i]! + shift[i]!);
    return { kernel, bias };
  }
}

/** 112 px crop -> 68 points as x, y in 0 to 1 of the crop. */
export function landmarksGraph(weights: Weights): Buffer {
  const graph = new OnnxGraph('face_landmark_68');
  const x = denseFeatures(graph, weights, graph.input('input', ['N', 3, 112, 112]));
  graph.output('landmarks', connected(graph, weights, x, 'fc'), ['N', 136]);
  return graph.build();
}
