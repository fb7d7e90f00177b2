import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonTextOfBytes } from './json-text.js'

const read = (text: string) => JSON.parse(jsonTextOfBytes(Buffer.from(text)))

test('unpaired surrogates become the replacement character', () => {
  assert.equal(read('"a\\ud800b"'), 'a\ufffdb')
  assert.equal(read('"\\uDC00\\uD83D"'), '\ufffd\ufffd')
  assert.equal(read('"\\ud800\\ud83d\\udef6"'), '\ufffd🛶')
})

test('surrogate pairs, other escapes and backslashes do not change', () => {
  assert.equal(read('"\\ud83d\\udef6\\n\\u00e9\\ud7ff"'), '🛶\né\ud7ff')
  assert.equal(read('"\\\\ud800"'), '\\ud800')
})

test('invalid UTF-8 becomes the replacement character', () => {
  assert.equal(JSON.parse(jsonTextOfBytes(Buffer.from([0x22, 0xff, 0x22]))), '\ufffd')
})
