/**
 * Compares text by code points, which is the order of UTF-8 bytes and that of upstream. JavaScript compares UTF-16 units, in which
 * surrogates come before the end of the basic plane.
 */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const one = left.charCodeAt(i)
    const other = right.charCodeAt(i)
    if (one !== other) return rank(one) - rank(other)
  }
  return left.length - right.length
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit
}
