import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandNames } from './command-list.js'
import { scriptFor } from './script-choice.js'

test('each command of Proa is in the same script, and so are help and version', () => {
  const lines = [[], ['help'], ['--help'], ['-h'], ['help', 'up'], ['version'], ['--version']]
  for (const line of [...commandNames.map((name) => [name, '--help']), ...lines])
    assert.equal(scriptFor(line), 'commands')
})

test('`get` has a script of its own, whether `kubectl` stands before it or not', () => {
  for (const line of [['get'], ['get', 'pods'], ['kubectl', 'get', 'pods']])
    assert.equal(scriptFor(line), 'kubectl-get')
})

test("every other word is a command of kubectl's, or none at all", () => {
  for (const line of [
    ['kubectl'],
    ['describe', 'pods'],
    ['kubectl', 'up'],
    ['-n', 'shop', 'get', 'pods'],
    ['no-such-command'],
    ['help', 'get'],
    ['help', 'kubectl'],
    ['version', '--client'],
  ])
    assert.equal(scriptFor(line), 'kubectl')
})
