import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { apiServerCommand } from './apiserver.js'

// This file is also the command, as the main program would call it.
if (process.argv[2] === 'apiserver') process.exitCode = await apiServerCommand(process.argv.slice(3))
else describe('proa apiserver', registerTests)

function folderFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'proa-apiserver-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Running {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  readonly exit: Promise<number | null>
}

function start(context: TestContext, ...args: string[]): Running {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'apiserver', ...args])
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data) => {
    output.stdout += data
  })
  child.stderr.on('data', (data) => {
    output.stderr += data
  })
  const exit = once(child, 'close').then(([code]) => code as number | null)
  context.after(() => void child.kill('SIGKILL'))
  return { child, output, exit }
}

/** Until it serves; gives where. */
async function serving({ child, output }: Running): Promise<URL> {
  const address = /serves on (\S+);/
  while (!address.test(output.stdout)) {
    if (child.exitCode !== null) assert.fail(`it ended before it served: ${output.stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return new URL(address.exec(output.stdout)![1]!)
}

async function get(url: URL, path: string, data: string, headers: Record<string, string> = {}) {
  const ca = readFileSync(join(data, 'pki', 'ca.crt'))
  const sent = request(new URL(path, url), { ca, headers, agent: new Agent({ keepAlive: false }) }).end()
  const [answer] = await once(sent, 'response')
  return { status: answer.statusCode, text: Buffer.concat(await answer.toArray()).toString() }
}

function registerTests(): void {
  test('serves until it is told to stop, and again on the same data', async (context) => {
    const data = join(folderFor(context), 'data')
    const tokens = join(folderFor(context), 'tokens.csv')
    writeFileSync(tokens, 'bench,admin,1,system:masters\n')
    const args = ['--secure-port=0', '--bind-address=127.0.0.1', '--data-dir', data, '--token-auth-file', tokens]
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const running = start(context, ...args)
      const url = await serving(running)
      assert.equal((await get(url, '/version', data)).status, 200)
      assert.equal((await get(url, '/api', data)).status, 403)
      assert.equal((await get(url, '/api', data, { authorization: 'Bearer bench' })).status, 200)
      assert.equal((await get(url, '/api', data, { authorization: 'Bearer wrong' })).status, 401)
      running.child.kill(signal)
      assert.equal(await running.exit, 0)
      const lines = running.output.stdout.trimEnd().split('\n')
      assert.equal(lines[0], `The API server serves on ${url.origin}; its data is in ${data}.`)
      assert.match(lines[1] ?? '', /^Use it with: .*kubectl --kubeconfig \S+\/admin\.kubeconfig get namespaces$/)
      assert.equal(lines.length, 2)
      assert.doesNotMatch(running.output.stdout + running.output.stderr, /bench|PRIVATE KEY/)
    }
  })

  test('stops at once when it is told twice', async (context) => {
    const data = join(folderFor(context), 'data')
    const tokens = join(folderFor(context), 'tokens.csv')
    writeFileSync(tokens, 'bench,admin,1,system:masters\n')
    const args = ['--secure-port=0', '--bind-address=127.0.0.1', '--data-dir', data, '--token-auth-file', tokens]
    const running = start(context, ...args)
    const url = await serving(running)
    const ca = readFileSync(join(data, 'pki', 'ca.crt'))
    const headers = {
      authorization: 'Bearer bench',
      'content-type': 'application/json',
      expect: '100-continue',
      'content-length': 10,
    }
    // A body that is asked for and never comes keeps the server from an orderly stop.
    const upload = request(new URL('/api/v1/namespaces', url), { ca, method: 'POST', headers, agent: new Agent() })
    upload.on('error', () => {}).flushHeaders()
    await once(upload, 'continue')
    running.child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(running.child.exitCode, null)
    running.child.kill('SIGTERM')
    assert.equal(await running.exit, 143)
  })

  test('says what is wrong in a sentence, and what to do', async (context) => {
    const folder = folderFor(context)
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    context.after(() => void taken.close())
    const { port } = taken.address() as { port: number }
    const file = join(folder, 'file')
    writeFileSync(file, 'one,column\n')
    const base = ['--bind-address=127.0.0.1', '--secure-port=0', '--data-dir', join(folder, 'data')]
    const cases: readonly [string[], number, RegExp][] = [
      [['--secur-port=1'], 2, /^proa apiserver: unknown flag --secur-port; did you mean --secure-port\?\n$/],
      [
        [...base, `--secure-port=${port}`],
        1,
        new RegExp(`^proa apiserver: port ${port} is in use by another program; .*\n$`),
      ],
      [
        [...base, '--bind-address=192.0.2.99'],
        1,
        /^proa apiserver: this machine does not have the address 192.0.2.99; .*\n$/,
      ],
      [
        [...base, '--token-auth-file', join(folder, 'none')],
        1,
        /^proa apiserver: there is no file .*none; check the name\n$/,
      ],
      [[...base, '--token-auth-file', file], 1, /^proa apiserver: invalid token file .*: line 1 must have .*\n$/],
      [
        [...base, '--client-ca-file', file],
        1,
        /^proa apiserver: there is no certificate in .*; name a file in PEM form\n$/,
      ],
      [
        [...base, '--data-dir', join(file, 'data')],
        1,
        /^proa apiserver: a part of .* is a file and not a directory; .*\n$/,
      ],
    ]
    for (const [args, code, message] of cases) {
      const { exit, output } = start(context, ...args)
      assert.equal(await exit, code, `${args.join(' ')}: ${output.stderr}`)
      assert.match(output.stderr, message)
      assert.equal(output.stdout, '')
    }
  })

  const isRoot = process.getuid?.() === 0
  test('says so when it may not read', { skip: isRoot ? 'root may read everything' : false }, async (context) => {
    const file = join(folderFor(context), 'tokens.csv')
    writeFileSync(file, '')
    chmodSync(file, 0)
    const { exit, output } = start(context, '--token-auth-file', file, '--data-dir', join(folderFor(context), 'data'))
    assert.equal(await exit, 1)
    assert.match(output.stderr, /you have no permission to open/)
  })

  test('explains itself', async (context) => {
    const { exit, output } = start(context, '--help')
    assert.equal(await exit, 0)
    assert.match(output.stdout, /Usage:\n {2}proa apiserver \[flags\]/)
    assert.match(output.stdout, /--authorization-mode/)
  })
}
