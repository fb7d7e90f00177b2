import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { envFileValue } from './env-file.js'

describe('a file of variables', () => {
  const good: readonly (readonly [what: string, text: string, value: string | undefined])[] = [
    ['a value in quotes', "K='v'\n", 'v'],
    ['a comment behind it', "K='v' # why\n", 'v'],
    ['comments, empty lines and indentation', "\n  # K='no'\n\t K='v'\n", 'v'],
    ['several lines', "A='x'\nK='one\n two\n# three'\n", 'one\n two\n# three'],
    ['nothing is replaced', `K='$HOME \\n "q"'`, '$HOME \\n "q"'],
    ['the first of two', "K='1'\nK='2'", '1'],
    ['a space before the quote', "K= 'v'", ''],
    ['what comes later is not looked at', "K='v'\n!!!", 'v'],
    ['a name that is the beginning of another', "KEY='no'\nK='v'", 'v'],
    ['none of that name', "A='x'", undefined],
    ['an empty file', '', undefined],
  ]
  for (const [what, text, value] of good) test(what, () => assert.equal(envFileValue(text, 'K'), value))

  const bad: readonly (readonly [text: string, message: string])[] = [
    ['K', `at line 1: missing '='`],
    ["A='x'\n='v'", 'at line 2: empty variable name'],
    ["K ='v'", `at line 1: whitespace before '=' is not allowed`],
    ['K=v', 'at line 1: value must be enclosed in single quotes'],
    ['K="v"', 'at line 1: value must be enclosed in single quotes'],
    ["K='v'x", 'at line 1: unexpected content after closing quote'],
    ["K='v\nw'x", 'at line 2: unexpected content after closing quote'],
    ["\nK='v\nw", 'starting at line 2: unclosed single quote'],
  ]
  for (const [text, message] of bad)
    test(`${JSON.stringify(text)} is rejected`, () =>
      assert.throws(() => envFileValue(text, 'K'), { message: `invalid environment variable format ${message}` }))
})
