/** Versions as semver.org defines them: `1.2.3`, `1.2.3-rc.1`, `1.2.3+build.5`. */
export interface SemanticVersion {
  readonly numbers: readonly [bigint, bigint, bigint]
  /** The identifiers after the dash. Numeric ones are compared as numbers. */
  readonly preRelease: readonly string[]
}

const numeric = '0|[1-9]\\d*'
const preReleasePart = `(?:${numeric}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`
const buildPart = '[0-9a-zA-Z-]+'
const expression = new RegExp(
  `^(${numeric})\\.(${numeric})\\.(${numeric})` +
    `(?:-(${preReleasePart}(?:\\.${preReleasePart})*))?` +
    `(?:\\+${buildPart}(?:\\.${buildPart})*)?$`,
)

/** Undefined if `text` is not a version. Ignores the build after the plus. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = expression.exec(text)
  if (!match) return undefined
  const [, major, minor, patch, preRelease] = match
  return {
    numbers: [BigInt(major!), BigInt(minor!), BigInt(patch!)],
    preRelease: preRelease === undefined ? [] : preRelease.split('.'),
  }
}

/** Negative, zero or positive, as for `Array.sort`. */
export function compareSemanticVersions(one: SemanticVersion, other: SemanticVersion): number {
  for (const [i, number] of one.numbers.entries())
    if (number !== other.numbers[i]) return number < other.numbers[i]! ? -1 : 1
  return comparePreReleases(one.preRelease, other.preRelease)
}

/** A version without a pre-release comes after its pre-releases. */
function comparePreReleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length
  for (const [i, part] of one.entries()) {
    if (i >= other.length) return 1
    const order = compareParts(part, other[i]!)
    if (order !== 0) return order
  }
  return one.length - other.length
}

/** Numbers come before words. */
function compareParts(one: string, other: string): number {
  const [isNumber, otherIsNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1
  if (isNumber && one.length !== other.length) return one.length - other.length
  return one === other ? 0 : one < other ? -1 : 1
}
