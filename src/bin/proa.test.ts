import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { suggestedCommands } from './command-list.js'
import { ProaUser } from './up/proa-user.test.kit.js'

const packageFile = fileURLToPath(new URL('../../../package.json', import.meta.url))
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string }

describe('proa', () => {
  test('tells its own version', async () => {
    await using user = new ProaUser()
    const shown = new RegExp(
      `^proa ${version.replaceAll('.', '\\.')} \\(Kubernetes v1\\.36\\.\\d+, commit .+, Node v\\d+.*\\)\\n$`,
    )
    for (const word of ['--version', 'version']) {
      const { code, out, err } = await user.proa(word)
      assert.deepEqual({ code, err }, { code: 0, err: '' })
      assert.match(out, shown)
    }
    assert.match((await user.proa('version', '--client')).out, /^Client Version: v1\.36/)
    assert.match((await user.proa('kubectl', 'version', '--client')).out, /^Client Version: v1\.36/)
  })

  test('suggests the command that an unknown one may be', async () => {
    await using user = new ProaUser()
    const { code, out, err } = await user.proa('statsu', '--data-dir', 'x')
    assert.deepEqual({ code, out }, { code: 2, out: '' })
    assert.match(
      err,
      /^proa: unknown command "statsu"\n\nDid you mean this\?\n\tstatus\n\nTo list all commands: {2}\S.*\n$/,
    )
    const unlike = (await user.proa('what-is-this')).err
    const [, line = ''] = /^proa: unknown command "what-is-this"\n\nTo list all commands: {2}(.*)\n$/.exec(unlike) ?? []
    assert.match((await user.type(line)).out, /^Proa: Kubernetes in TypeScript\.\n\nUsage:\n/)
  })

  test('helps with each command', async () => {
    await using user = new ProaUser()
    assert.match((await user.proa('help', 'up')).out, /^Run a whole cluster in one process/)
    assert.match((await user.proa('help', 'get')).out, /kubectl get/)
    assert.match((await user.proa('help', 'kubectl')).out, /kubectl controls/)
    assert.equal((await user.proa('help')).out, (await user.proa()).out)
    assert.match((await user.proa('help', 'upp')).err, /^proa: unknown command "upp"\n\nDid you mean this\?\n\tup\n/)
  })
})

describe('suggestions', () => {
  const kubectl = ['get', 'describe', 'apply', 'delete', 'cp', 'set', 'top', 'run']

  for (const [word, meant] of [
    ['upp', ['up']],
    ['dwon', ['down']],
    ['rest', ['reset']],
    ['cluster', ['clusters']],
    ['ls', ['list']],
    ['start', ['up']],
    ['STOP', ['down']],
    ['desribe', ['describe']],
    ['controler-manager', ['controller-manager']],
    ['snap', ['snapshot']],
    ['xyzzy', []],
    ['constructor', []],
  ] as const)
    test(`${word}: ${meant.join(', ') || 'none'}`, () => {
      assert.deepEqual(suggestedCommands(word, kubectl).slice(0, Math.max(1, meant.length)), meant)
    })
})
