/**
 * The two face-api networks that estimate attributes of a face, as ONNX graphs (ageGenderNet with xception,
 * faceExpressionNet). Both take RGB 0 to 255 as float32 [N, 3, 112, 112].
 */
import { connected, convolution, denseFeatures, normalized, separable } from './face-api-layers.ts';
import { OnnxGraph, type Value } from './onnx.ts';
import type { Weights } from './tfjs.ts';

const side = 112;

/** Years, and how much the face looks like a man's and a woman's; the two make 1. */
export function ageGenderGraph(weights: Weights): Buffer {
  const graph = new OnnxGraph('age_gender');
  const input = normalized(graph, graph.input('input', ['N', 3, side, side]));
  const net = new Xception(graph, weights);
  let x = net.relu(convolution(graph, weights, input, 'entry_flow/conv_in', 2));
  x = net.narrow(x, 'entry_flow/reduction_block_0');
  x = net.narrow(net.relu(x), 'entry_flow/reduction_block_1', x);
  x = net.block(x, 'middle_flow/main_block_0');
  x = net.block(x, 'middle_flow/main_block_1');
  x = net.narrow(net.relu(x), 'exit_flow/reduction_block', x);
  x = net.relu(separable(graph, weights, x, 'exit_flow/separable_conv', 1));
  x = graph.op('AveragePool', [x], { kernel_shape: [7, 7], strides: [2, 2] });
  graph.output('age', connected(graph, weights, x, 'fc/age'), ['N', 1]);
  const gender = connected(graph, weights, x, 'fc/gender');
  graph.output('gender', graph.op('Softmax', [gender], { axis: 1 }), ['N', 2]);
  return graph.build();
}

class Xception {
  readonly #graph: OnnxGraph;
  readonly #weights: Weights;

  constructor(graph: OnnxGraph, weights: Weights) {
    this.#graph = graph;
    this.#weights = weights;
  }

  relu(value: Value): Value {
    return this.#graph.op('Relu', [value]);
  }

  /** Halves the picture. `input` is activated for all but the way around, which takes it as it was. */
  narrow(input: Value, name: string, around: Value = input): Value {
    const graph = this.#graph;
    let x = this.#separable(input, `${name}/separable_conv0`);
    x = this.#separable(this.relu(x), `${name}/separable_conv1`);
    x = graph.op('MaxPool', [x], {
      kernel_shape: [3, 3],
      strides: [2, 2],
      auto_pad: 'SAME_UPPER',
    });
    const past = convolution(graph, this.#weights, around, `${name}/expansion_conv`, 2);
    return graph.op('Add', [x, past]);
  }

  block(input: Value, name: string): Value {
    let x = input;
    for (const layer of ['separable_conv0', 'separable_conv1', 'separable_conv2']) {
      x = this.#separable(this.relu(x), `${name}/${layer}`);
    }
    return this.#graph.op('Add', [x, input]);
  }

  #separable(input: Value, name: string): Value {
    return separable(this.#graph, this.#weights, input, name, 1);
  }
}

/** How much the face looks neutral, happy, sad, angry, fearful, disgusted and surprised; together 1. */
export function expressionGraph(weights: Weights): Buffer {
  const graph = new OnnxGraph('face_expression');
  const x = denseFeatures(graph, weights, graph.input('input', ['N', 3, side, side]));
  const expressions = connected(graph, weights, x, 'fc');
  graph.output('expressions', graph.op('Softmax', [expressions], { axis: 1 }), ['N', 7]);
  return graph.build();
}
