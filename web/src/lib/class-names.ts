/** A class name, or nothing: `isOpen && 'border'`. */
type ClassName = string | false | null | undefined;

/** Joins the class names that there are. */
export const cx = (...names: readonly ClassName[]): string => names.filter(Boolean).join(' ');
