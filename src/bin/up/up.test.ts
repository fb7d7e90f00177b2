import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const program = fileURLToPath(new URL('../../../bundle/bin/proa.cjs', import.meta.url))

interface Result {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const others = `apiVersion: v1
kind: Config
clusters: [{ name: work, cluster: { server: https://work.example } }]
users: [{ name: me, user: { token: secret } }]
contexts: [{ name: work, context: { cluster: work, user: me } }]
current-context: work
`

describe('a cluster in the background', () => {
  const home = mkdtempSync(join(tmpdir(), 'proa-up-'))
  const dataDirectory = join(home, 'data')
  const kubeconfig = join(home, 'config')
  const flags = ['--data-dir', dataDirectory, '--name', 'trial']

  before(() => writeFileSync(kubeconfig, others))
  after(async () => {
    await proa('down', ...flags)
    rmSync(home, { recursive: true })
  })

  function proa(...args: readonly string[]): Promise<Result> {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, HOME: home, KUBECONFIG: kubeconfig },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk) => out.push(chunk))
    child.stderr.on('data', (chunk) => err.push(chunk))
    return new Promise((resolve) =>
      child.on('close', (code) => resolve({ code, out: String(Buffer.concat(out)), err: String(Buffer.concat(err)) })),
    )
  }

  const up = () => proa('up', ...flags, '--port', '0', '--bind-address', '127.0.0.1', '--runtime', 'none', '--detach')

  test('is up when the command ends, and says where it is', async () => {
    const { code, out, err } = await up()
    assert.equal(code, 0, err)
    assert.match(out, /control plane +https:\/\/127\.0\.0\.1:\d+, after/)
    assert.match(out, /kubeconfig +\S+config, context trial \(now the current one\)/)
    assert.match(out, /The cluster runs in the background as process \d+\. Its log is \S+\.\n {2}show its state: /)
  })

  test('is a context of the kubeconfig, in which all else is as it was', () => {
    const config = parse(readFileSync(kubeconfig, 'utf8'))
    assert.equal(config['current-context'], 'trial')
    assert.deepEqual(
      config.contexts.map(({ name }: { name: string }) => name),
      ['trial', 'work'],
    )
    assert.deepEqual(config.users.find(({ name }: { name: string }) => name === 'me').user, { token: 'secret' })
  })

  test('is not started twice', async () => {
    const { code, err } = await up()
    assert.equal(code, 1)
    assert.match(err, /^proa up: the cluster trial already runs, as process \d+\n {2}show its state: /)
  })

  test('shows how it is', async () => {
    const { code, out } = await proa('status', ...flags)
    assert.equal(code, 0)
    assert.match(out, /control plane +https:.*process \d+; its data is in/)
    assert.match(out, /nodes +0 of 0 ready\n {2}pods +none/)
  })

  test('reports its components, which run in its process, as healthy', async () => {
    const { out, err } = await proa('kubectl', 'get', 'componentstatuses')
    assert.match(out, /^NAME +STATUS +MESSAGE +ERROR\n/)
    for (const name of ['controller-manager', 'scheduler', 'etcd-0'])
      assert.match(out, new RegExp(`^${name} +Healthy +ok *$`, 'm'))
    assert.match(err, /^Warning: v1 ComponentStatus is deprecated in v1\.19\+$/m)
  })

  test('warns whoever creates what it does not act on yet', async () => {
    const { code, out, err } = await proa('kubectl', 'create', 'cronjob', 'x', '--image=x', '--schedule=0 0 * * *')
    assert.equal(code, 0, err)
    assert.equal(out, 'cronjob.batch/x created\n')
    assert.equal(err, 'Warning: Proa stores this CronJob, but does not act on it yet: no controller creates its jobs\n')
  })

  test('ends when it is told to, and is found again', async () => {
    assert.match((await proa('down', ...flags)).out, /^Stopped the cluster trial and ended its pods\./)
    const status = await proa('status', ...flags)
    assert.equal(status.code, 1)
    assert.match(status.err, /^proa status: the cluster trial does not run\n {2}start it: /)
    assert.match((await proa('down', ...flags)).out, /^The cluster trial did not run\./)
    assert.equal((await up()).code, 0)
  })

  test('is deleted only by those who say so', async () => {
    const asked = await proa('reset', ...flags)
    assert.equal(asked.code, 2)
    assert.match(
      asked.err,
      /there is no terminal to ask whether to delete the cluster trial\n {2}delete it without confirmation: .* --yes\n$/,
    )
    assert.equal((await proa('reset', ...flags, '--yes')).out, 'Deleted the cluster trial.\n')
    assert.equal(existsSync(dataDirectory), false)
    const config = parse(readFileSync(kubeconfig, 'utf8'))
    assert.deepEqual(
      config.contexts.map(({ name }: { name: string }) => name),
      ['work'],
    )
  })

  test('a port that is taken is told in one sentence', async () => {
    const blocker = (await import('node:net')).createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    const { port } = blocker.address() as { port: number }
    const args = ['--port', String(port), '--bind-address', '127.0.0.1', '--runtime', 'none']
    const result = await proa('up', ...flags, ...args)
    const detached = await proa('up', ...flags, ...args, '--detach')
    blocker.close()
    const sentence = `proa up: port ${port} is in use by another program; stop that program, or choose another port\n`
    assert.deepEqual(result, { code: 1, out: '', err: sentence })
    assert.equal(detached.err, sentence)
  })

  test('a node that cannot be started is told in one sentence, and takes the cluster with it', async () => {
    // Too long for a socket in it; and without root there are no containers in any folder.
    const folder = join(home, 'long'.repeat(30))
    const place = ['--data-dir', folder, '--name', 'trial', '--port', '0', '--bind-address', '127.0.0.1']
    const { code, err } = await proa('up', ...place, '--kubeconfig', '-', '--runtime', 'containerd')
    assert.equal(code, 1)
    assert.match(err, /^proa up: [^\n]+\n$/)
  })
})
