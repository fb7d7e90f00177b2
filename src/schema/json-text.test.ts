import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonTextOfBytes } from './json-text.js'

const read = (text: string) => JSON.parse(jsonTextOfBytes(Buffer.from(text)))

test('halves of surrogate pairs become the replacement character', () => {
  assert.equal(read('"a\\ud800b"'), 'a\ufffdb')
  assert.equal(read('"\\uDC00\\uD83D"'), '\ufffd\ufffd')
  assert.equal(read('"\\ud800\\ud83d\\udef6"'), '\ufffd🛶')
})

test('pairs, other escapes and backslashes stay as they are', () => {
  assert.equal(read('"\\ud83d\\udef6\\n\\u00e9\\ud7ff"'), '🛶\né\ud7ff')
  assert.equal(read('"\\\\ud800"'), '\\ud800')
})

test('bytes that are no UTF-8 become the replacement character', () => {
  assert.equal(JSON.parse(jsonTextOfBytes(Buffer.from([0x22, 0xff, 0x22]))), '\ufffd')
})
