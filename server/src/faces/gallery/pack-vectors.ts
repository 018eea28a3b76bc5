/**
 * The vectors of a row: that of the pack it was made with and, while models change, that of another pack. Both are
 * sealed under one key for one place, so that either may become the row's own without being opened.
 */
import type { PackColumns } from '#db/pack-columns.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { vectorOf } from '#lib/vectors.ts';
import type { Reference } from './gallery.ts';

export const packOf = ({ pack_id, pack_version }: Pick<PackColumns, 'pack_id' | 'pack_version'>) =>
  `${pack_id}@${pack_version}`;

export function asPack(pack: string): { readonly packId: string; readonly packVersion: string } {
  const at = pack.lastIndexOf('@');
  return { packId: pack.slice(0, at), packVersion: pack.slice(at + 1) };
}

/** Returns each vector with its pack, as `id@version`. Throws SealBroken. */
export function openVectors(row: PackColumns, key: SecretKey, place: string): Reference[] {
  const own = { pack: packOf(row), vector: vectorOf(key.open(row.vector, place)) };
  const { other_pack: pack, other_vector: other } = row;
  if (pack === null || other === null) return [own];
  return [own, { pack, vector: vectorOf(key.open(other, place)) }];
}

/** Returns them sealed under another identity's key. Throws SealBroken. */
export function resealVectors(
  { vector, other_vector }: Pick<PackColumns, 'vector' | 'other_vector'>,
  place: string,
  from: SecretKey,
  to: SecretKey,
): Pick<PackColumns, 'vector' | 'other_vector'> {
  const reseal = (sealed: Buffer): Buffer => to.seal(from.open(sealed, place), place);
  return { vector: reseal(vector), other_vector: other_vector && reseal(other_vector) };
}
