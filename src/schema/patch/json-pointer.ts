/** Parses a JSON pointer (RFC 6901). Ignores text before the first slash, as upstream does. */
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
 * The index that a segment names in a list of `length`; undefined if there is no such element. Negative numbers count from the end, as
 * upstream does in deviation from the standard.
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
