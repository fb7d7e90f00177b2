import { ValueError } from '../value-error.js'

/** Accepts standard base64 with padding and line breaks. Throws `ValueError` with the index of the first wrong byte. */
export function canonicalBase64(text: string): string {
  const bad = firstBadByte(text)
  if (bad >= 0) throw new ValueError(`illegal base64 data at input byte ${bad}`)
  return Buffer.from(text, 'base64').toString('base64')
}

/** Returns -1 if there is none. Characters come in groups of four; only the last group may end in padding. */
function firstBadByte(text: string): number {
  let inGroup = 0
  for (let i = 0; i < text.length; i++) {
    if (isLineBreak(text[i]!)) continue
    if (text[i] === '=') return badPadding(text, i, inGroup)
    if (!/[A-Za-z0-9+/]/.test(text[i]!)) return i
    inGroup = (inGroup + 1) % 4
  }
  return inGroup === 0 ? -1 : text.length - inGroup
}

/** Checks the padding: the first `=` is at index `at`, after `inGroup` characters of its group. */
function badPadding(text: string, at: number, inGroup: number): number {
  if (inGroup < 2) return at
  let end = skipLineBreaks(text, at + 1)
  if (inGroup === 2) {
    if (end === text.length) return text.length
    if (text[end] !== '=') return end - 1
    end = skipLineBreaks(text, end + 1)
  }
  return end === text.length ? -1 : end
}

function skipLineBreaks(text: string, start: number): number {
  let i = start
  while (i < text.length && isLineBreak(text[i]!)) i++
  return i
}

function isLineBreak(character: string): boolean {
  return character === '\n' || character === '\r'
}
