import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { findProgram } from '../../base/programs.js'
import { firstLines, hintsIn, lightly, ProaUser, type Result } from './proa-user.test.kit.js'

/** A line that is told to be typed must do what it promises. */
function worked({ code, out, err }: Result, pattern: RegExp): string {
  assert.equal(code, 0, err)
  assert.match(out, pattern)
  return out
}

describe('what the commands tell people to type works as it stands', () => {
  test('after an up in the background, with a name, a data directory and a kubeconfig', async () => {
    await using user = new ProaUser()
    const kubeconfig = user.path('my config')
    const up = worked(await user.up(user.dataDirectory('data'), '--name', 'trial', '--kubeconfig', kubeconfig), /trial/)
    for (const line of firstLines(up)) {
      const pods = await user.type(line.replace(/ --watch$/, ''))
      assert.deepEqual({ code: pods.code, err: pods.err }, { code: 0, err: 'No resources found\n' }, line)
    }
    assert.ok(firstLines(up).length > 0)
    const hints = hintsIn(up)
    assert.deepEqual(Object.keys(hints), ['show its state', 'stop it and end its pods'])
    worked(await user.type(hints['show its state']!), /nodes +0 of 0 ready/)
    const down = worked(await user.type(hints['stop it and end its pods']!), /^Stopped the cluster trial/)

    const after = hintsIn(down)
    assert.deepEqual(Object.keys(after), ['start it again', 'delete it'])
    worked(await user.type(`${after['start it again']} --detach`), /my config, context trial/)
    const asked = await user.type(after['delete it']!)
    assert.equal(asked.code, 2)
    worked(await user.type(hintsIn(asked.err)['delete it without confirmation']!), /^Deleted the cluster trial\.\n$/)
    assert.deepEqual(parse(readFileSync(kubeconfig, 'utf8')).contexts ?? [], [])
  })

  test('after an up in the foreground', async () => {
    await using user = new ProaUser()
    const [folder, kubeconfig] = [user.dataDirectory('data'), user.path('config')]
    const line = `"$NODE" "$PROGRAM" up --data-dir '${folder.replaceAll("'", `'\\''`)}' --kubeconfig config ${lightly.join(' ')}`
    const first = await user.typeUntil(user.called(line), /^ {2}stop it and end its pods: .*\n/m)
    const hints = hintsIn(worked(first, /^Ctrl-C stops the cluster\. Its pods keep running\.$/m))
    assert.deepEqual(Object.keys(hints), ['start it again', 'stop it and end its pods'])
    const again = await user.typeUntil(hints['start it again']!, /^ {2}stop it and end its pods: .*\n/m)
    assert.ok(worked(again, /Stopping/).includes(kubeconfig))
    worked(await user.type(hints['stop it and end its pods']!), /^The cluster proa did not run\./)
  })

  test('where the cluster runs already, does not run, or does not exist', async () => {
    await using user = new ProaUser()
    const folder = user.dataDirectory('data')
    const absent = hintsIn((await user.proa('status', '--name', 'trial', '--data-dir', folder)).err)
    worked(await user.type(`${absent['create it']} --detach ${lightly.join(' ')}`), /context trial/)
    const running = hintsIn((await user.up(folder)).err)
    worked(await user.type(running['show its state']!), /control plane/)
    worked(await user.type(running['stop it and end its pods']!), /^Stopped/)
    const stopped = hintsIn((await user.proa('status', '--data-dir', folder)).err)
    worked(await user.type(`${stopped['start it']} --detach`), /context trial/)
  })

  test('where the flags came from variables, which the next shell does not have', async () => {
    await using user = new ProaUser()
    const variables = { PROA_NAME: 'trial', PROA_DATA_DIR: user.dataDirectory('data'), KUBECONFIG: user.path('config') }
    const line = user.called(`"$NODE" "$PROGRAM" up --detach ${lightly.join(' ')}`)
    const up = worked(await user.type(line, variables), /context trial/)
    const pods = await user.type(firstLines(up)[0]!.replace(/ --watch$/, ''))
    assert.equal(pods.code, 0, pods.err)
    worked(await user.type(hintsIn(up)['show its state']!), /control plane/)
    worked(await user.type(hintsIn(up)['stop it and end its pods']!), /^Stopped the cluster trial/)
  })

  test('with the kubeconfig of the administrator, where no other is to be written', async () => {
    await using user = new ProaUser()
    const up = worked(await user.up(user.dataDirectory('data'), '--kubeconfig', '-'), /admin\.kubeconfig/)
    const pods = await user.type(firstLines(up)[0]!.replace(/ --watch$/, ''))
    assert.equal(pods.code, 0, pods.err)
    worked(await user.type(`${hintsIn(up)['show its state']}`), /control plane/)
  })

  test('on a machine without kubectl', async () => {
    await using user = new ProaUser()
    const bin = user.path('bin')
    mkdirSync(bin)
    symlinkSync(process.execPath, join(bin, 'node'))
    const variables = { PATH: bin }
    const line = user.called(`"$NODE" "$PROGRAM" up --detach ${lightly.join(' ')} --data-dir "$HOME/data"`)
    user.dataDirectory('data')
    const up = worked(await user.type(line, variables), /context proa/)
    const pods = await user.type(firstLines(up)[0]!.replace(/ --watch$/, ''), variables)
    assert.deepEqual({ code: pods.code, err: pods.err }, { code: 0, err: 'No resources found\n' })
  })
})

describe('what is told to be typed calls proa as it was called', () => {
  const flags = `--detach ${lightly.join(' ')} --data-dir "$HOME/data"`
  const toolPath = (user: ProaUser, ...folders: readonly string[]) => [...folders, user.env.PATH].join(':')

  test('as ./proa', async () => {
    await using user = new ProaUser()
    user.dataDirectory('data')
    user.install('.')
    const hints = hintsIn(worked(await user.type(`./proa up ${flags}`), /context/))
    assert.match(hints['show its state']!, /^\.\/proa status /)
    worked(await user.type(hints['show its state']!), /control plane/)
  })

  test('as proa, where it is found on the PATH', async () => {
    await using user = new ProaUser()
    user.dataDirectory('data')
    const PATH = toolPath(user, dirname(user.install('app')))
    const hints = hintsIn(worked(await user.type(`proa up ${flags}`, { PATH }), /context/))
    assert.match(hints['show its state']!, /^proa status /)
    worked(await user.type(hints['show its state']!, { PATH }), /control plane/)
  })

  test('by its path, where that has blanks in it', async () => {
    await using user = new ProaUser()
    user.dataDirectory('data')
    user.install('an app')
    const hints = hintsIn(worked(await user.type(`'an app/proa' up ${flags}`), /context/))
    assert.match(hints['show its state']!, /^'an app\/proa' status /)
    worked(await user.type(hints['show its state']!), /control plane/)
  })

  const skip = findProgram('npx') === undefined && 'there is no npx'
  test('as npx proa, where a package is installed', { skip }, async () => {
    await using user = new ProaUser()
    user.dataDirectory('data')
    user.install('node_modules', 'proa')
    mkdirSync(user.path('node_modules', '.bin'))
    symlinkSync('../proa/proa', user.path('node_modules', '.bin', 'proa'))
    const hints = hintsIn(worked(await user.type(`npx --offline proa up ${flags}`), /context/))
    assert.match(hints['show its state']!, /^npx proa status /)
    worked(await user.type(hints['show its state']!, { npm_config_offline: 'true' }), /control plane/)
  })
})
