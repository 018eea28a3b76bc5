import type { Capability, Scope } from '#http/scope.ts';

/** One camera granted, as a scope holds it. */
export function granting(
  cameraId: string,
  capabilities: readonly Capability[],
  categories: readonly string[] = [],
): Scope['grants'] {
  const grant = { capabilities: new Set(capabilities), categories: new Set(categories) };
  return new Map([[cameraId, grant]]);
}
