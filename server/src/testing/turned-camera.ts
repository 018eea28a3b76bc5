/** A camera whose rotation a user changes. */
import type { QuarterTurn } from '@nazar/contract/polygon.ts';
import type { Scope } from '#http/scope.ts';
import { aCameraForm, type World } from './world.ts';

export async function turnCamera(
  { cameras }: Pick<World, 'cameras'>,
  scope: Scope,
  id: string,
  rotation: QuarterTurn,
): Promise<void> {
  const { url, name, location, status } = await cameras.read(scope, id);
  await cameras.replace(scope, id, aCameraForm({ url: url!, name, location, status, rotation }));
}
