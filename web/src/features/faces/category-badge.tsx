import { ColorBadge } from '#ui/badge.tsx';
import { useCategoryName } from '#parts/category-name.ts';

/** The category of a person, in its color. */
export function CategoryBadge({
  face,
}: {
  face: { readonly category_color: string; readonly category_name: string };
}) {
  const categoryName = useCategoryName();
  return <ColorBadge color={face.category_color}>{categoryName(face.category_name)}</ColorBadge>;
}
