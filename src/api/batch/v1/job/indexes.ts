/** Sets of job indexes in text form: numbers and ranges in ascending order, `0,3-5,9`. */

import { quote } from '../../../../schema/quote.js'
import { ValueError } from '../../../../schema/value-error.js'
import { parseInteger } from '../../../../schema/values/int-or-string.js'

/** Both ends included. */
export type IndexRange = readonly [first: number, last: number]

/** The number of indexes. Throws `ValueError` if the text is malformed, or an index is not below `completions`. */
export function countIndexes(text: string, completions: number): number {
  let total = 0
  let previous: number | undefined
  for (const [first, last] of text === '' ? [] : text.split(',').map((part) => parseRange(part, completions))) {
    if (previous !== undefined && previous >= first) throw notIncreasing(previous, first)
    total += last - first + 1
    previous = last
  }
  return total
}

/** The first index in both sets. Skips malformed ranges. */
export function overlapOf(left: string, right: string, completions: number): number | undefined {
  const others = readableRanges(right, completions)
  for (const [first, last] of readableRanges(left, completions)) {
    const common = others.find(([otherFirst, otherLast]) => first <= otherLast && otherFirst <= last)
    if (common) return Math.max(first, common[0])
  }
  return undefined
}

function readableRanges(text: string, completions: number): readonly IndexRange[] {
  if (text === '') return []
  return text.split(',').flatMap((part) => {
    try {
      return [parseRange(part, completions)]
    } catch (error) {
      if (error instanceof ValueError) return []
      throw error
    }
  })
}

function parseRange(text: string, completions: number): IndexRange {
  const [first = '', last, ...more] = text.split('-')
  if (more.length > 0)
    throw new ValueError(
      `the fragment ${quote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    )
  const start = parseIndex(first, completions)
  if (last === undefined) return [start, start]
  const end = parseIndex(last, completions)
  if (start >= end) throw notIncreasing(start, end)
  return [start, end]
}

function parseIndex(text: string, completions: number): number {
  const index = integerOrNothing(text)
  if (index === undefined) throw new ValueError(`cannot convert string to integer for index: ${quote(text)}`)
  if (index >= completions) throw new ValueError(`too large index: ${quote(text)}`)
  return index
}

function integerOrNothing(text: string): number | undefined {
  try {
    return parseInteger(text)
  } catch (error) {
    if (error instanceof ValueError) return undefined
    throw error
  }
}

function notIncreasing(previous: number, current: number): ValueError {
  return new ValueError(`non-increasing order, previous: ${previous}, current: ${current}`)
}
