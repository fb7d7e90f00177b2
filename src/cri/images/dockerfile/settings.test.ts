import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ImageConfig } from '../image.js'
import { copyRequest } from './copy-request.js'
import { runRequest } from './run-request.js'
import { applySetting, type StageSettings, variablesOf } from './settings.js'
import { parseDockerfile } from './stages.js'

const scope = { given: new Map([['GIVEN', 'given']]), inherited: new Map([['GLOBAL', 'global']]) }

const instructions = (text: string) => parseDockerfile(`FROM x\n${text}`).stages[0]!.instructions

function settings(text: string, config: ImageConfig = {}): StageSettings {
  let result: StageSettings = { config, arguments: new Map(), hasCommand: false }
  for (const instruction of instructions(text)) result = applySetting(result, instruction, scope)!
  return result
}

describe('the settings of a stage', () => {
  const cases: Readonly<Record<string, [dockerfile: string, expected: ImageConfig, base?: ImageConfig]>> = {
    'ENV replaces a variable where it stands': [
      'ENV A=2 C="3 4"',
      { Env: ['A=2', 'B=1', 'C=3 4'] },
      { Env: ['A=1', 'B=1'] },
    ],
    'values of one line see the variables from before it': ['ENV A=1\nENV A=2 B=$A', { Env: ['A=2', 'B=1'] }],
    'the old form of ENV': ['ENV A some  words', { Env: ['A=some  words'] }],
    'ARG with a default, without one, and given': [
      'ARG A=1 GLOBAL\nARG GIVEN=2\nARG UNSET\nENV X=$A-$GLOBAL-$GIVEN-$UNSET',
      { Env: ['X=1-global-given-'] },
    ],
    'the default of an ARG may use another': ['ARG A=1\nARG B=$A$A\nLABEL b=$B', { Labels: { b: '11' } }],
    'an ENV wins over an ARG': [
      'ENV GIVEN=env\nARG GIVEN\nLABEL a=$GIVEN',
      { Env: ['GIVEN=env'], Labels: { a: 'env' } },
    ],
    'LABEL and MAINTAINER': [
      'LABEL "a b"="c d" e=f\nMAINTAINER Me',
      { Labels: { 'a b': 'c d', e: 'f', maintainer: 'Me' } },
    ],
    EXPOSE: [
      'ENV P=80 Q="1/udp 2"\nEXPOSE $P 8000-8001/TCP $Q',
      {
        Env: ['P=80', 'Q=1/udp 2'],
        ExposedPorts: { '80/tcp': {}, '8000/tcp': {}, '8001/tcp': {}, '1/udp': {}, '2/tcp': {} },
      },
    ],
    'VOLUME as a list and as words': ['VOLUME ["/a b"]\nVOLUME /c /d', { Volumes: { '/a b': {}, '/c': {}, '/d': {} } }],
    'WORKDIR is relative to the one before': ['WORKDIR /a/\nWORKDIR b/../c', { WorkingDir: '/a/c' }],
    'USER, STOPSIGNAL and SHELL': [
      'USER web\nSTOPSIGNAL SIGRTMIN+3\nSHELL ["/bin/bash", "-c"]\nCMD a $B',
      { User: 'web', StopSignal: 'SIGRTMIN+3', Shell: ['/bin/bash', '-c'], Cmd: ['/bin/bash', '-c', 'a $B'] },
    ],
    'ENTRYPOINT removes the command of the base': ['ENTRYPOINT ["/x"]', { Entrypoint: ['/x'] }, { Cmd: ['y'] }],
    'ENTRYPOINT keeps the command of this stage': ['CMD ["y"]\nENTRYPOINT ["/x"]', { Cmd: ['y'], Entrypoint: ['/x'] }],
    'an empty ENTRYPOINT': ['ENTRYPOINT []', { Entrypoint: [] }, { Entrypoint: ['/x'] }],
    'what is no list is for a shell': ['CMD [ -f x ]', { Cmd: ['/bin/sh', '-c', '[ -f x ]'] }],
    'HEALTHCHECK changes nothing': ['HEALTHCHECK --interval=5s CMD curl x', {}],
    'ONBUILD is kept for others': ['ONBUILD COPY . /app', { OnBuild: ['COPY . /app'] }],
  }
  for (const [name, [dockerfile, expected, base]] of Object.entries(cases))
    test(name, () => assert.deepEqual(settings(dockerfile, base).config, expected))

  const mistakes: Readonly<Record<string, RegExp>> = {
    'EXPOSE http': /line 2: http is not a port; write 80, 80\/udp or 8000-8010/,
    EXPOSE: /EXPOSE needs a port/,
    'EXPOSE 70000': /70000 is not a port/,
    'STOPSIGNAL now': /now is not a signal/,
    'SHELL /bin/sh': /SHELL takes a list/,
    'USER $NOBODY': /USER needs a value/,
    WORKDIR: /WORKDIR needs a value/,
    ARG: /ARG needs a name/,
    VOLUME: /VOLUME needs a path/,
    'ONBUILD FROM x': /ONBUILD cannot be used with: FROM x/,
    'ENV A="1': /a double quote is not closed/,
  }
  for (const [dockerfile, message] of Object.entries(mistakes))
    test(`${dockerfile} is rejected`, () => assert.throws(() => settings(dockerfile), message))

  test('a name of a variable has no meaning for JavaScript', () => {
    assert.deepEqual(settings('ENV __proto__=1\nENV A=$__proto__').config.Env, ['__proto__=1', 'A=1'])
    assert.equal(variablesOf(settings('')).get('constructor'), undefined)
  })
})

describe('a COPY or ADD', () => {
  const request = (text: string, config: ImageConfig = { WorkingDir: '/app', Env: ['NAME=a b'] }) => {
    const all = instructions(text)
    return copyRequest(all.at(-1)!, { config, arguments: new Map(), hasCommand: false })
  }
  const cases: Readonly<Record<string, [sources: string[], target: string]>> = {
    'COPY a b': [['a'], '/app/b'],
    'COPY a /b/': [['a'], '/b/'],
    'COPY a .': [['a'], '/app/'],
    'COPY a ./x/..': [['a'], '/app'],
    'COPY a b c/': [['a', 'b'], '/app/c/'],
    'COPY ["a b", "c d/"]': [['a b'], '/app/c d/'],
    'COPY "a b" c': [['a b'], '/app/c'],
    'COPY $NAME /': [['a b'], '/'],
    'ADD --chown=1 a /x': [['a'], '/x'],
  }
  for (const [text, [sources, target]] of Object.entries(cases))
    test(text, () => {
      const found = request(text)
      assert.deepEqual([found.sources, found.target], [sources, target])
    })

  test('has flags', () => {
    const { from, owner, mode } = request('COPY --from=build --chown=$NAME:c --chmod=755 --link a b')
    assert.deepEqual({ from, owner, mode }, { from: 'build', owner: 'a b:c', mode: 0o755 })
  })

  test('may have the content of a file in the Dockerfile', () => {
    assert.deepEqual(request('COPY <<a <<"b" /x/\nI am $NAME\na\n$NAME\nb').documents, [
      { name: 'a', content: 'I am a b\n' },
      { name: 'b', content: '$NAME\n' },
    ])
  })

  const mistakes: Readonly<Record<string, RegExp>> = {
    'COPY a': /line 2: COPY needs at least one source and a target/,
    'COPY a b c': /with several sources the target of COPY must end with \/: c\//,
    'COPY --parents a b': /COPY --parents is not supported here/,
    'ADD --from=x a b': /ADD --from is not supported here/,
    'COPY --chmod=u+x a b': /--chmod must be an octal number such as 0755: u\+x/,
    'ADD https://example.com/x /x': /ADD cannot download; download https:\/\/example.com\/x/,
    'ADD git@example.com:x/y.git /x': /ADD cannot download/,
  }
  for (const [text, message] of Object.entries(mistakes))
    test(`${text} is rejected`, () => assert.throws(() => request(text), message))
})

describe('a RUN', () => {
  const request = (text: string) => {
    const before = settings('ENV A=1\nARG B=2')
    return runRequest(instructions(text)[0]!, before, {
      ...scope,
      given: new Map([
        ['HTTP_PROXY', 'p'],
        ['C', '3'],
      ]),
    })
  }

  test('has a command and the variables of the build', () => {
    const { command, environment } = request('RUN echo $A && true')
    assert.deepEqual(command, ['/bin/sh', '-c', 'echo $A && true'])
    assert.deepEqual(environment, ['HTTP_PROXY=p', 'B=2', 'A=1'])
    assert.deepEqual(request('RUN ["/x", "$A"]').command, ['/x', '$A'])
  })

  test('may be a script', () => {
    assert.deepEqual(request('RUN <<EOF\na\nb\nEOF').command, ['/bin/sh', '-c', 'a\nb\n'])
    assert.deepEqual(request('RUN cat <<EOF > /x\na\nEOF').command, ['/bin/sh', '-c', 'cat <<EOF > /x\na\nEOF'])
  })

  test('may have directories that do not become part of the image', () => {
    const [cache, temporary] = request('RUN --mount=type=cache,target=/c,id=x,uid=7 --mount=type=tmpfs,dst=/t y').mounts
    assert.deepEqual(cache, { kind: 'cache', target: '/c', id: 'x', mode: 0o755, uid: 7, gid: 0 })
    assert.equal(temporary?.kind, 'tmpfs')
  })

  const mistakes: Readonly<Record<string, RegExp>> = {
    RUN: /RUN needs a command/,
    'RUN --mount=type=secret,id=x y': /--mount=type=secret,id=x is not supported here; only type=cache and type=tmpfs/,
    'RUN --mount=target=/x y': /is not supported here/,
    'RUN --mount=type=cache y': /needs target=\/PATH/,
    'RUN --mount=type=cache,target=/x,uid=me y': /has uid=me, which is not a number/,
    'RUN --network=none y': /--network=none is not supported/,
    'RUN --security=insecure y': /RUN --security is not supported/,
    'RUN <<EOF\n#!/bin/python\nEOF': /begins with #! is not supported here; COPY it/,
  }
  for (const [text, message] of Object.entries(mistakes))
    test(`${text} is rejected`, () => assert.throws(() => request(text), message))
})
