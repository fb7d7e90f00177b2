import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { warningHeaders } from './warning-headers.js'

describe('Warnings in headers', () => {
  it('are quoted, and stay whole as long as they are short together', () => {
    deepEqual(warningHeaders(['a', 'say "b" \\ c', 'é ☃']), ['299 - "a"', '299 - "say \\"b\\" \\\\ c"', '299 - "é ☃"'])
    const long = 'x'.repeat(4096)
    deepEqual(warningHeaders([long]), [`299 - "${long}"`])
  })

  it('are all cut once they are too long together, and left out once enough is said', () => {
    const long = (letter: string) => letter.repeat(2000)
    const cut = (letter: string) => `299 - "${letter.repeat(256)}"`
    deepEqual(warningHeaders([long('a'), long('☃'), long('c'), 'd']), [cut('a'), cut('☃'), cut('c'), '299 - "d"'])
    const many = Array.from({ length: 100 }, (_, i) => `${i} ${long('x')}`)
    equal(warningHeaders(many).length, 16)
  })

  it('are left out where they would break the header', () => {
    deepEqual(warningHeaders(['a\nb', '', 'c\u0085', 'd']), ['299 - "d"'])
  })
})
