import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { WebSocketServer } from 'ws'
import { type TarEntry, tarChunks } from '../../base/tar/writer.js'
import { comparisonSuite, KubectlComparison } from '../comparison.test.kit.js'
import { archivePrefix } from './location.js'

comparisonSuite('kubectl cp', {
  'what makes no sense is refused before anything is sent': async (both) => {
    await both.sameLines(`
      cp
      cp one
      cp one two three
      cp one two
      cp a:one b:two
      cp :one two
      cp a/b/c:one two
      cp a: two
      cp a:one ''
      cp /nothing/there a:two
      cp a:one two
      cp other/a:one two
      cp /etc/hostname a:two
      cp /etc/hostname a:two --retries=x
    `)
  },

  'into a pod that is over': async (both) => {
    const spec = { containers: [{ name: 'main', image: 'web' }] }
    const done = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'done' }, spec, status: { phase: 'Succeeded' } }
    await both.givenPods(done)
    await both.same(['cp', '/etc/hostname', 'done:/tmp'])
  },
})

test('names in an archive begin with the path, without what leads up or to the root', () => {
  const prefixes = {
    '/tmp/a': 'tmp/a',
    '../../a/b': 'a/b',
    './a//b/./c': 'a/b/c',
    '/': '',
    '.': '',
    '..': '',
    '/..': '',
  }
  for (const [path, prefix] of Object.entries(prefixes)) assert.equal(archivePrefix(path), prefix)
})

/** A server with one pod whose `tar` sends a prepared archive and breaks the connection after a number of bytes. */
class DishonestPod {
  archive = Buffer.alloc(0)
  /** The byte counts of successive attempts; the archive is sent whole when none is left. */
  breaks: number[] = []
  readonly commands: string[] = []
  readonly #server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const resources = [{ name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get'] }]
    const answers: Readonly<Record<string, unknown>> = {
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/apis': { kind: 'APIGroupList', groups: [] },
      '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources },
    }
    const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }] } }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[path] ?? pod))
  })
  readonly #sockets = new WebSocketServer({ server: this.#server, handleProtocols: () => 'v5.channel.k8s.io' })

  async start(): Promise<string> {
    this.#sockets.on('connection', (socket, { url = '' }) => {
      const command = new URL(url, 'http://x').searchParams.getAll('command').join(' ')
      this.commands.push(command)
      const start = Number(/tail -c\+(\d+)$/.exec(command)?.[1] ?? 1) - 1
      const piece = this.archive.subarray(start, start + (this.breaks.shift() ?? this.archive.length))
      socket.send(Buffer.concat([Buffer.of(1), piece]))
      socket.send(Buffer.concat([Buffer.of(3), Buffer.from('{"status":"Success"}')]))
      socket.close()
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async pack(...entries: readonly TarEntry[]): Promise<void> {
    const chunks: Uint8Array[] = []
    for await (const chunk of tarChunks(entries)) chunks.push(chunk)
    this.archive = Buffer.concat(chunks)
  }

  close(): void {
    this.#sockets.close()
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

describe('a copy from a container that is not to be trusted', () => {
  const pod = new DishonestPod()
  const home = mkdtempSync(join(tmpdir(), 'proa-cp-'))
  const both = new KubectlComparison({ kubeconfig: join(home, 'none') }, 'x')
  const target = join(home, 'target')
  let url = ''
  before(async () => {
    url = await pod.start()
  })
  after(() => {
    both.close()
    pod.close()
    rmSync(home, { recursive: true, force: true })
  })

  const copy = (...args: readonly string[]) => both.ours([`--server=${url}`, 'cp', 'p:/srv/a', ...args])
  const file = (path: string, content = 'x') => ({ type: 'file' as const, path, content: Buffer.from(content) })

  test('nothing is written outside of the target', async () => {
    await pod.pack(
      file('srv/a/good', 'good'),
      file('srv/a/../../evil'),
      file('srv/a/deep/../../evil'),
      file('srv/a/..\\..\\evil'),
      { type: 'directory', path: 'srv/a/../evil' },
      file('srv/a//also-good'),
    )
    const { code, stderr } = await copy(target)
    assert.equal(code, 0)
    const outside = [join(home, '../evil'), join(home, 'evil'), join(home, '../evil'), join(home, 'evil')]
    assert.deepEqual(
      stderr.split('\n').slice(0, -1),
      outside.map((path) => `warning: file "${path}" is outside target destination, skipping`),
    )
    assert.deepEqual(readdirSync(target).sort(), ['also-good', 'good'])
    assert.deepEqual(readdirSync(home), ['target'])
    assert.equal(existsSync(join(home, '../evil')), false)
  })

  test('no links are made through which anything could be', async () => {
    await pod.pack({ type: 'link', path: 'srv/a/way', target: '/' }, file('srv/a/way/inside'))
    const { stderr } = await copy(join(home, 'links'))
    const advice = '(consider using "kubectl exec -n "" "p" -- tar cf - "/srv/a" | tar xf -")'
    assert.equal(stderr, `warning: skipping symlink: "${home}/links/way" -> "/" ${advice}\n`)
    assert.equal(readFileSync(join(home, 'links/way/inside'), 'utf8'), 'x')
  })

  test('what was not asked for is refused', async () => {
    for (const path of ['/etc/passwd', 'etc/passwd', 'srv/ab', '../srv/a']) {
      await pod.pack(file(path))
      const { code, stderr } = await copy(join(home, 'other'))
      assert.deepEqual([code, stderr], [1, 'error: tar contents corrupted\n'], path)
    }
    assert.equal(existsSync(join(home, 'other')), false)
  })

  test('what breaks off is resumed as often as is wanted', async () => {
    const content = Buffer.alloc(100_000, 'much to say ').toString()
    await pod.pack(file('srv/a', content))
    const broken = join(home, 'broken')
    const again = async (breaks: readonly number[], ...args: readonly string[]) => {
      pod.breaks = [...breaks]
      pod.commands.length = 0
      const { code, stdout, stderr } = await copy(broken, ...args)
      return { code, stdout, stderr, isWhole: existsSync(broken) && readFileSync(broken, 'utf8') === content }
    }
    const dropped = { code: 1, stderr: 'error: unexpected EOF\n', isWhole: false }
    assert.deepEqual(await again([5000]), { ...dropped, stdout: 'Dropping out copy after 0 retries\n' })
    const resumed = 'Resuming copy at 5000 bytes, retry 1/2\nResuming copy at 5100 bytes, retry 2/2\n'
    const whole = { code: 0, stderr: '', isWhole: true }
    assert.deepEqual(await again([5000, 100], '--retries=2'), { ...whole, stdout: resumed })
    assert.equal(pod.commands.at(-1), "sh -c tar cf - '/srv/a' | tail -c+5101")
    const stdout = `${resumed}Dropping out copy after 2 retries\n`
    assert.deepEqual(await again([5000, 100, 100], '--retries=2'), { ...dropped, stdout })
    assert.equal((await again([512, 512, 512, 512], '--retries=-1')).isWhole, true)
  })
})
