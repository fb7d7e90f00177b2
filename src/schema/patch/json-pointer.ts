/** JSON pointers (RFC 6901), read as leniently as clients are used to: what stands before the first slash does not count. */
export function parsePointer(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescapeSegment)
}

export function formatPointer(segments: readonly string[]): string {
  return segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function unescapeSegment(segment: string): string {
  return segment.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~'))
}

/**
 * The position in a list of `length` that a segment names, if there is one. Negative numbers count from the end, as they do
 * upstream, whatever the standard says.
 */
export function listPosition(segment: string, length: number): number | undefined {
  if (!isIndex(segment)) return undefined
  const index = Number(segment)
  const position = index < 0 ? index + length : index
  return position >= 0 && position < length ? position : undefined
}

export function isIndex(segment: string): boolean {
  return /^[+-]?[0-9]+$/.test(segment)
}
