import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { ResidentShell } from './resident-shell.js'

describe('a resident shell', () => {
  let shell: ResidentShell
  beforeEach(() => {
    shell = new ResidentShell()
  })
  afterEach(() => shell.close())

  test('returns the output of each command, however they overlap', async () => {
    const words = ['plain', "it's", '$HOME `x` "y"', 'two\nlines', '']
    const answers = await Promise.all(words.map((word) => shell.run(['printf', '%s', word])))
    assert.deepEqual(answers, words)
  })

  test('reports failures and continues', async () => {
    await assert.rejects(shell.run(['sh', '-c', 'echo no such luck >&2; exit 3']), {
      message: 'sh failed: exit status 3: no such luck',
    })
    assert.equal(await shell.run(['echo', 'fine']), 'fine\n')
  })

  test('gives commands an empty input', async () => {
    assert.equal(await shell.run(['cat']), '')
  })

  test('that was killed fails its commands and is replaced', async () => {
    const killed = shell.run(['sh', '-c', 'kill -KILL $PPID; sleep 0.1'])
    await assert.rejects(killed, { message: 'the shell that runs commands ended' })
    assert.equal(await shell.run(['echo', 'again']), 'again\n')
  })
})
