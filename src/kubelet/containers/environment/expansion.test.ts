import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expandVariables } from './expansion.js'

const variables: Readonly<Record<string, string>> = { A: 'a', B: '$(A)', EMPTY: '', 'x.y': 'dotted' }

describe('variables in commands', () => {
  const table: readonly (readonly [text: string, expanded: string])[] = [
    ['', ''],
    ['plain', 'plain'],
    ['$(A)', 'a'],
    ['$(A)$(A)-$(x.y)', 'aa-dotted'],
    ['$(B)', '$(A)'],
    ['[$(EMPTY)]', '[]'],
    ['$(NONE)', '$(NONE)'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$a'],
    ['$$$$(A)', '$$(A)'],
    ['$$', '$'],
    ['$', '$'],
    ['$A', '$A'],
    ['$(A', '$(A'],
    ['$(A$(A)', '$(A$(A)'],
    ['a$', 'a$'],
    ['$()', '$()'],
    ['$((A))', '$((A))'],
    ['echo $$$$; echo $$', 'echo $$; echo $'],
  ]
  for (const [text, expanded] of table)
    test(`${JSON.stringify(text)} becomes ${JSON.stringify(expanded)}`, () =>
      assert.equal(
        expandVariables(text, (name) => variables[name]),
        expanded,
      ))
})
