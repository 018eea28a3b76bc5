export const steps = ['language', 'administrator', 'camera', 'face'] as const;
export type Step = (typeof steps)[number];
