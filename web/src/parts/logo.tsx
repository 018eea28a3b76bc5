/** The product's sign: an eye whose iris is the amulet of the same name. Decoration beside the name. */
export function Logo({ size = 28 }: { size?: number }) {
  return <img src="/nazar.svg" alt="" width={size} height={size} />;
}
