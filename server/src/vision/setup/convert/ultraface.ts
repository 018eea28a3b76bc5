/**
 * Writes the UltraFace (RFB) network of faceplugin-face-recognition-js for inputs of any size, which costs 2 to 5 %
 * more than one graph for each size. What leaves the graph are the numbers of its eight heads: the file's own end,
 * which makes boxes of them, holds the positions of cells for 320x240 only, and the product's decoder
 * (vision/detector/ultraface.ts) reads them for any size.
 */
import { OnnxGraph, type Attribute, type Value } from './onnx.ts';
import { readOnnx } from './onnx-read.ts';

/** The body of the network; its end uses other operations too, on the heads' transposed answers. */
const body = ['Conv', 'Relu', 'Concat', 'Mul', 'Add'];

export function ultraFace(file: Uint8Array): Buffer {
  const { nodes, constants } = readOnnx(file);
  const graph = new OnnxGraph('ultraface');
  const input = graph.input('input', [1, 3, 'height', 'width']);
  const values = new Map<string, Value>([['input', input]]);
  const valueOf = (name: string): Value => {
    const known = values.get(name) ?? graph.constant(constants.get(name)!);
    values.set(name, known);
    return known;
  };
  let heads = 0;
  for (const { op, inputs, outputs, attributes } of nodes) {
    if (op === 'Transpose') {
      // Each grid of cells has a head for scores, and then one for boxes.
      const kind = heads % 2 === 0 ? 'scores' : 'boxes';
      graph.output(`${kind}${heads >> 1}`, valueOf(inputs[0]!), [1, 'values', 'rows', 'columns']);
      heads += 1;
    } else if (body.includes(op) && inputs.every((it) => values.has(it) || constants.has(it))) {
      const written = graph.op(op, inputs.map(valueOf), attributes as Record<string, Attribute>);
      values.set(outputs[0]!, written);
    }
  }
  return graph.build();
}
