import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { WebSocketServer } from 'ws'
import { KubectlComparison } from '../comparison.test.kit.js'

/** A server with one pod whose commands echo their input and exit as the last word says. */
async function startServer() {
  const asked: string[] = []
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'x' },
    spec: { containers: [{ name: 'main' }, { name: 'side' }] },
    status: { phase: 'Running' },
  }
  const resources = [
    { name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get'], shortNames: ['po'] },
  ]
  const answers: Readonly<Record<string, unknown>> = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', groups: [] },
    '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources },
  }
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const isLog = path.endsWith('/log')
    response
      .setHeader('content-type', 'application/json')
      .end(isLog ? 'one\ntwo\n' : JSON.stringify(answers[path] ?? pod))
  })
  const sockets = new WebSocketServer({
    server,
    handleProtocols: (offered) => (offered.has('v5.channel.k8s.io') ? 'v5.channel.k8s.io' : false),
  })
  sockets.on('connection', (socket, request) => {
    asked.push(request.url ?? '')
    const last = new URL(request.url ?? '', 'http://x').searchParams.getAll('command').at(-1)
    const end = () => {
      const causes = [{ reason: 'ExitCode', message: '3' }]
      const failed = { kind: 'Status', status: 'Failure', reason: 'NonZeroExitCode', details: { causes } }
      socket.send(
        Buffer.concat([Buffer.of(3), Buffer.from(JSON.stringify(last === 'fail' ? failed : { status: 'Success' }))]),
      )
      socket.close()
    }
    socket.on('message', (data: Buffer) =>
      data[0] === 255 ? end() : socket.send(Buffer.concat([Buffer.of(1), data.subarray(1)])),
    )
    if (!request.url?.includes('stdin=true')) {
      socket.send(Buffer.concat([Buffer.of(2), Buffer.from('hello\n')]))
      end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    sockets.close()
    server.closeAllConnections()
    server.close()
  }
  return { url, asked, close }
}

describe('streams to and from a container', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  let home: string
  let both: KubectlComparison
  before(async () => {
    server = await startServer()
    home = mkdtempSync(join(tmpdir(), 'proa-channels-'))
    both = new KubectlComparison({ kubeconfig: join(home, 'none') }, 'x')
  })
  after(() => {
    both.close()
    server.close()
    rmSync(home, { recursive: true, force: true })
  })

  const run = (args: readonly string[], input = '') => both.ours([`--server=${server.url}`, ...args], { input })

  test('what the command says comes out, and how it ends is how exec ends', async () => {
    assert.deepEqual(await run(['exec', 'web', '-c', 'side', '--', 'sh', '-c', 'date']), {
      code: 0,
      stdout: '',
      stderr: 'hello\n',
    })
    assert.match(server.asked.at(-1)!, /command=sh&command=-c&command=date&container=side&stderr=true&stdout=true$/)
    const failed = await run(['exec', 'web', '-c', 'main', '--', 'fail'])
    assert.deepEqual(failed, { code: 3, stdout: '', stderr: 'hello\ncommand terminated with exit code 3\n' })
  })
  test('input goes in, and its end is told', async () => {
    const { code, stdout, stderr } = await run(['exec', '-i', 'web', '--', 'cat'], 'some input')
    assert.deepEqual({ code, stdout }, { code: 0, stdout: 'some input' })
    assert.equal(stderr, 'Defaulted container "main" out of: main, side\n')
  })
  test('logs come as they are, or with their origin in front of each line', async () => {
    assert.equal((await run(['logs', 'web', '-c', 'main'])).stdout, 'one\ntwo\n')
    const { stdout } = await run(['logs', 'web', '--all-containers', '--prefix'])
    assert.equal(stdout, '[pod/web/main] one\n[pod/web/main] two\n[pod/web/side] one\n[pod/web/side] two\n')
  })
})
