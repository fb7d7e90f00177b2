import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expand, expandDocument } from './expansion.js'
import { jsonList, namedValues, parseInstruction, splitWords } from './instruction.js'
import { logicalLines } from './lines.js'

const lines = (text: string) => logicalLines(text).lines.map(({ line, text }) => `${line} ${text}`)

function instruction(text: string) {
  const { lines, escapeCharacter } = logicalLines(text)
  return parseInstruction(lines[0]!, escapeCharacter)
}

describe('the lines of a Dockerfile', () => {
  const cases: Readonly<Record<string, [text: string, expected: string[]]>> = {
    'comments and empty lines are skipped': ['# a\n\nFROM x\n  # b\nRUN y', ['3 FROM x', '5 RUN y']],
    'a backslash continues a line': ['RUN a \\\n  b', ['1 RUN a   b']],
    'continued lines are joined without a blank': ['RUN a\\\nb', ['1 RUN ab']],
    'white space after the backslash is ignored': ['RUN a \\  \nb\nRUN c', ['1 RUN a b', '3 RUN c']],
    'comments and empty lines inside of a continued line are skipped': [
      'RUN a \\\n # no\n\n  && b\nRUN c',
      ['1 RUN a   && b', '5 RUN c'],
    ],
    'two backslashes do not continue a line': ['RUN a \\\\\nRUN b', ['1 RUN a \\\\', '2 RUN b']],
    'a hash inside a line does not start a comment': ['RUN a # b', ['1 RUN a # b']],
    'line ends of Windows and a byte order mark are accepted': [
      '\uFEFFFROM x\r\nRUN a \\\r\n b\r\n',
      ['1 FROM x', '2 RUN a  b'],
    ],
    'the last line may end with a continuation': ['RUN a \\', ['1 RUN a']],
    'a directive changes the escape character': [
      '# escape=`\nRUN a `\n b\nCOPY a c:\\',
      ['2 RUN a  b', '4 COPY a c:\\'],
    ],
    'a directive after a comment is a comment': ['# a comment\n# escape=`\nRUN a \\\n b', ['3 RUN a  b']],
    'other directives are ignored': ['# syntax=docker/dockerfile:1\n# check=skip=all\nFROM x', ['3 FROM x']],
  }
  for (const [name, [text, expected]] of Object.entries(cases))
    test(name, () => assert.deepEqual(lines(text), expected))

  test('heredocs follow their instruction', () => {
    const text = 'COPY <<one <<"two" /x/\na $b\none\n\tc\ntwo\nRUN <<-EOF cat\n\td\n\tEOF\nUSER 1 <<2'
    const { lines } = logicalLines(text)
    assert.deepEqual(
      lines.map(({ heredocs }) => heredocs),
      [
        [
          { name: 'one', expands: true, content: 'a $b\n' },
          { name: 'two', expands: false, content: '\tc\n' },
        ],
        [{ name: 'EOF', expands: true, content: 'd\n' }],
        [],
      ],
    )
  })

  test('errors name the line', () => {
    assert.throws(() => logicalLines('# escape=x\n'), /line 1: the directive "escape" must be \\ or `: x/)
    assert.throws(() => logicalLines('FROM x\nRUN <<EOF\na'), /line 2: the document <<EOF has no end/)
    assert.throws(() => instruction('?'), /line 1: this is not an instruction: \?/)
  })
})

describe('an instruction', () => {
  test('has a keyword, flags and a text', () => {
    const { keyword, flags, text } = instruction('copy --from=build --link --chown="1:2" a --b c')
    assert.deepEqual(
      [keyword, flags, text],
      [
        'COPY',
        [
          ['from', 'build'],
          ['link', undefined],
          ['chown', '1:2'],
        ],
        'a --b c',
      ],
    )
    assert.equal(instruction('RUN -- --a').text, '--a')
    assert.equal(instruction('RUN').text, '')
  })

  test('has words, which may be quoted', () => {
    assert.deepEqual(splitWords(`a "b c" d\\ e 'f g'h`, '\\'), ['a', '"b c"', 'd\\ e', `'f g'h`])
    assert.deepEqual(splitWords('a` b', '`'), ['a` b'])
  })

  test('may be a list', () => {
    assert.deepEqual(jsonList('["a", "b c"]'), ['a', 'b c'])
    for (const text of ['a b', '[a]', '[1]', '[ -f x ] && y']) assert.equal(jsonList(text), undefined)
  })

  test('may be pairs', () => {
    const cases: Readonly<Record<string, [string, string][]>> = {
      'ENV A=1 B="2 3"': [
        ['A', '1'],
        ['B', '"2 3"'],
      ],
      'ENV A one  two': [['A', 'one  two']],
      'ENV A b=c': [['A', 'b=c']],
      'LABEL "a.b"="c d"': [['"a.b"', '"c d"']],
      'ENV A=': [['A', '']],
    }
    for (const [text, expected] of Object.entries(cases)) assert.deepEqual(namedValues(instruction(text)), expected)
    assert.throws(() => namedValues(instruction('ENV')), /line 1: ENV needs NAME=VALUE/)
    assert.throws(() => namedValues(instruction('ENV A')), /ENV A has no value; write A=VALUE/)
    assert.throws(() => namedValues(instruction('ENV A=1 B')), /ENV needs NAME=VALUE: B/)
  })
})

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are variables of a Dockerfile */
describe('variables', () => {
  const variables = new Map([
    ['A', '1'],
    ['EMPTY', ''],
    ['PATH', '/usr/local/bin/tool.tar.gz'],
    ['__proto__', 'own'],
  ])
  const cases: Readonly<Record<string, string>> = {
    $A: '1',
    '${A}': '1',
    'x$A.y': 'x1.y',
    $UNKNOWN: '',
    $: '$',
    $$A: 'A', // a special name, and then text
    $1x: 'x',
    $__proto__: 'own',
    $constructor: '',
    '\\$A': '$A',
    "'$A'": '$A',
    '"$A b"': '1 b',
    '"\\$A \\" \\n"': '$A " \\n',
    'a\\ b': 'a b',
    '${X:-b c}': 'b c',
    '${EMPTY:-x}': 'x',
    '${EMPTY-x}': '',
    '${X-x}': 'x',
    '${A:+x}': 'x',
    '${EMPTY:+x}': '',
    '${EMPTY+x}': 'x',
    '${X:-${Y:-$A}}': '1',
    '${X:-"}"}': '}',
    '${A:?no}': '1',
    '${PATH#*/}': 'usr/local/bin/tool.tar.gz',
    '${PATH##*/}': 'tool.tar.gz',
    '${PATH%.*}': '/usr/local/bin/tool.tar',
    '${PATH%%.*}': '/usr/local/bin/tool',
    '${PATH/local/}': '/usr//bin/tool.tar.gz',
    '${PATH//\\//-}': '-usr-local-bin-tool.tar.gz',
    '${PATH#nothing}': '/usr/local/bin/tool.tar.gz',
  }
  for (const [text, expected] of Object.entries(cases))
    test(`${text} becomes ${expected}`, () => assert.equal(expand(text, variables), expected))

  test('the escape character may be another one', () => {
    assert.equal(expand('`$A\\$A', variables, '`'), '$A\\1')
  })

  test('errors are reported', () => {
    const mistakes: Readonly<Record<string, RegExp>> = {
      '${A': /a } is missing/,
      '${}': /the name of a variable is missing/,
      '${A:#x}': /the modifier :# is not supported/,
      '${A!}': /the modifier ! is not supported/,
      '${X:?must be given}': /X: must be given/,
      '${X?}': /X: it must be set/,
      '"a': /a double quote is not closed/,
      "'a": /a single quote is not closed/,
      '${X:-a': /a } is missing/,
    }
    for (const [text, message] of Object.entries(mistakes)) assert.throws(() => expand(text, variables), message)
  })

  test('in a document quotes stay', () => {
    assert.equal(expandDocument(`"$A" '\${A}' \\$A \\n`, variables), `"1" '1' $A \\n`)
  })
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are variables of a Dockerfile */
