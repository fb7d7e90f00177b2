import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDetachKeys, untilDetached } from './detach-keys.js'

async function typed(pieces: readonly string[], keys: string): Promise<string> {
  const input = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece)
  })()
  const passed: Uint8Array[] = []
  for await (const bytes of untilDetached(input, parseDetachKeys(keys))) passed.push(bytes)
  return Buffer.concat(passed).toString()
}

test('keys are letters, and those that are pressed together with Ctrl', () => {
  assert.deepEqual(parseDetachKeys('ctrl-p,ctrl-q'), [16, 17])
  assert.deepEqual(
    parseDetachKeys('a,ctrl-@,ctrl-[,ctrl-\\,ctrl-],ctrl-^,ctrl-_,ctrl-z'),
    [97, 0, 27, 28, 29, 30, 31, 26],
  )
  for (const wrong of ['ctrl-P', 'ctrl-', 'alt-x', ''])
    assert.throws(() => parseDetachKeys(wrong), new Error(`could not bind detach keys: Unknown character: '${wrong}'`))
})

test('input ends where they are pressed one after the other, however it comes', async () => {
  const usual = 'ctrl-p,ctrl-q'
  assert.equal(await typed(['ls\r\x10\x11never'], usual), 'ls\r')
  assert.equal(await typed(['ls\x10', '\x11', 'never'], usual), 'ls')
  assert.equal(await typed(['\x10\x10\x11never'], usual), '\x10')
  assert.equal(await typed(['\x10x\x11', '\x10'], usual), '\x10x\x11\x10')
  assert.equal(await typed(['short\x01rest'], 'ctrl-a'), 'short')
})

test('all else comes through as it was typed', async () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('\x10', 'a', 'b'), maxLength: 6 }))
  await fc.assert(
    fc.asyncProperty(pieces, async (all) => {
      assert.equal(await typed(all, 'ctrl-p,ctrl-q'), all.join(''))
    }),
  )
})
