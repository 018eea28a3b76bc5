import { labelled } from './labelled.tsx';
import { Slider } from './slider.tsx';

export const SliderField = labelled(Slider);
