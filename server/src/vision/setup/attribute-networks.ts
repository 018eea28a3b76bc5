/** The sources of the networks that estimate attributes of a face. */
import type { AttributeNetwork } from '../attributes/attribute-files.ts';
import { ageGenderGraph, expressionGraph } from './convert/face-attributes.ts';
import { faceApiNetwork, type Network } from './shipped-networks.ts';

export const attributeNetworks: Readonly<Record<AttributeNetwork, Network>> = {
  'age-gender': faceApiNetwork(ageGenderGraph, {
    name: 'age_gender_model',
    manifest: '74b60bf3ebf981bf4e661e9cca3a185614e10b25d797118b62e2a68d3ff2569f',
    weights: '49f92bbc0afef2342c4385e4a2b0acb6d7a727c6f0aa539499719a81acf9abaa',
  }),
  expression: faceApiNetwork(expressionGraph, {
    name: 'face_expression_model',
    manifest: '5b349c17c7836da506e03422cd6461c74085d8bb2713ad4114647dc5d28174c8',
    weights: '9a9840f2cf1f4c7eab95f197512569345c00d2426754d4608b92af30e0300f3d',
  }),
};
