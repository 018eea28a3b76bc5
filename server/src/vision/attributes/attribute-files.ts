/**
 * The networks that estimate attributes of a face: the hashes of what set-up makes (setup/attribute-networks.ts), in
 * `models/attributes/`. They belong to no pack: they are the same whatever recognizes people.
 */
import { join } from 'node:path';
import { modelsDir, networkPath } from '../packs/installed-packs.ts';
import type { Pack } from '../packs/pack.ts';

export type AttributeNetwork = 'age-gender' | 'expression';

/** The folder in the folder of models. */
export const attributesFolder = 'attributes';

export const attributeFiles: Readonly<Record<AttributeNetwork, Pack['files'][string]>> = {
  'age-gender': {
    path: 'age-gender.onnx',
    sha256: 'e1bb457727a30c8a466fa5577cedd183b1319e0540fbc49fe1004125f6c3530f',
  },
  expression: {
    path: 'expression.onnx',
    sha256: 'bde054800f590a795afc6672bbe03688fcc93c8915e12d220f9bfbcb6c446be1',
  },
};

/** Throws when the file is missing or damaged. */
export function attributePath(network: AttributeNetwork, dir: string = modelsDir): Promise<string> {
  const folder = join(dir, attributesFolder);
  return networkPath({ id: attributesFolder, files: attributeFiles, folder }, network);
}
