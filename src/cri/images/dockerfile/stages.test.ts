import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { unusedArguments } from './build-arguments.js'
import { planBuild } from './plan.js'
import { parseDockerfile } from './stages.js'

function plan(
  text: string,
  { target, given = {} }: { target?: string; given?: Record<string, string> } = {},
): string[] {
  const options = { target, given: new Map(Object.entries(given)), architecture: 'amd64' as const }
  return planBuild(parseDockerfile(text), options).stages.map(({ stage, base }) => {
    const from = base.kind === 'image' ? base.name : base.kind === 'stage' ? `stage ${base.index}` : base.kind
    return `${stage.index} from ${from}: ${stage.instructions.map(({ keyword }) => keyword).join(' ')}`
  })
}

describe('stages', () => {
  const three = 'FROM a AS one\nRUN x\nFROM b AS two\nCOPY --from=one /x /\nFROM scratch\nCOPY --from=two /x /\n'

  const cases: Readonly<Record<string, [dockerfile: string, options: Parameters<typeof plan>[1], expected: string[]]>> =
    {
      'one stage': ['FROM scratch\nCMD x', {}, ['0 from scratch: CMD']],
      'all stages that the last one is made of': [
        three,
        {},
        ['0 from a: RUN', '1 from b: COPY', '2 from scratch: COPY'],
      ],
      'a target, and nothing after it': [three, { target: 'two' }, ['0 from a: RUN', '1 from b: COPY']],
      'a target by its number': [three, { target: '0' }, ['0 from a: RUN']],
      'an unused stage is not built': [
        'FROM a AS one\nFROM b AS two\nFROM one',
        {},
        ['0 from a: ', '2 from stage 0: '],
      ],
      'stage names are case-insensitive': ['FROM a AS Base\nFROM base', {}, ['0 from a: ', '1 from stage 0: ']],
      'a source by number': ['FROM a\nFROM b\nCOPY --from=0 /x /', {}, ['0 from a: ', '1 from b: COPY']],
      'a source that is an image': ['FROM b\nCOPY --from=busybox /x /', {}, ['0 from b: COPY']],
      'variables in FROM': ['ARG V=1\nARG BASE=web:$V\nFROM $BASE', {}, ['0 from web:1: ']],
      'a value from outside': ['ARG V=1\nFROM web:$V-x', { given: { V: '2' } }, ['0 from web:2-x: ']],
      'the platform': ['FROM --platform=$BUILDPLATFORM web:$TARGETARCH', {}, ['0 from web:amd64: ']],
      'a stage is not its own base': ['FROM web AS web', {}, ['0 from web: ']],
    }
  for (const [name, [dockerfile, options, expected]] of Object.entries(cases))
    test(name, () => assert.deepEqual(plan(dockerfile, options), expected))

  const mistakes: Readonly<Record<string, [dockerfile: string, message: RegExp]>> = {
    'no FROM': ['# nothing', /line 1: there is no FROM; use FROM scratch/],
    'an instruction before FROM': [
      'COPY a b\nFROM x',
      /line 1: COPY is not allowed before the first FROM; only ARG is/,
    ],
    'an unknown instruction': ['FROM x\n\nFETCH y', /line 3: unknown instruction FETCH/],
    'FROM nothing': ['FROM', /line 1: FROM needs the name of an image/],
    'FROM an empty variable': ['ARG X\nFROM $X', /line 2: FROM \$X is empty; give it a value with --build-arg/],
    'FROM with more words': ['FROM a b', /line 1: FROM needs IMAGE or IMAGE AS NAME: a b/],
    'a bad name': ['FROM a AS 1x', /line 1: 1x is not a valid stage name/],
    'the same name twice': ['FROM a AS x\nFROM b AS X', /line 2: there are two stages named x/],
    'another platform': ['FROM --platform=linux/arm64 a', /line 1: cannot build an image for linux\/arm64/],
    'an unknown flag': ['FROM --fast a', /line 1: FROM --fast is not supported here/],
    'an open brace': ['FROM ${X', /line 1: a } is missing/],
  }
  for (const [name, [dockerfile, message]] of Object.entries(mistakes))
    test(`${name} is rejected`, () => assert.throws(() => plan(dockerfile), message))

  test('the error for an unknown target lists the named stages', () => {
    assert.throws(() => plan(three, { target: 'x' }), /no stage x; its named stages are one, two/)
    assert.throws(() => plan('FROM a', { target: 'x' }), /no stage x; none of its stages has a name/)
  })

  test('a build argument without an ARG is found', () => {
    const dockerfile = parseDockerfile('ARG A=1 B\nFROM x\nARG C')
    const given = new Map(['A', 'B', 'C', 'D', 'HTTP_PROXY'].map((name) => [name, '']))
    assert.deepEqual(unusedArguments(dockerfile, given), ['D'])
  })
})
