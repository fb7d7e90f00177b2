import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Image } from './image.js'
import { mediaTypes } from './image-archive.js'
import { type ImageRegistry, serveImages } from './image-registry.js'

const image: Image = {
  names: ['docker.io/team/site:1', 'docker.io/team/site:latest'],
  architecture: 'amd64',
  config: { Cmd: ['/serve'] },
  layers: [[{ type: 'file', path: 'serve', content: Buffer.from('#!') }]],
}

describe('an image registry', () => {
  let registry: ImageRegistry
  let made = 0

  before(async () => {
    registry = await serveImages(async () => {
      made++
      return [image]
    })
  })
  after(() => registry.close())

  const ask = (path: string, method = 'GET') => fetch(`${registry.url}/v2/${path}`, { method })

  test('creates images on the first request', async () => {
    assert.equal((await ask('')).status, 200)
    assert.equal(made, 0)
  })

  test('serves an image by tag or digest, and its blobs by digest', async () => {
    const tagged = await ask('team/site/manifests/latest?ns=docker.io')
    assert.equal(tagged.headers.get('content-type'), mediaTypes.manifest)
    const text = await tagged.text()
    assert.equal(await (await ask(`team/site/manifests/${tagged.headers.get('docker-content-digest')}`)).text(), text)
    const { config, layers } = JSON.parse(text)
    for (const { digest, size } of [config, ...layers]) {
      const bytes = Buffer.from(await (await ask(`team/site/blobs/${digest}`)).arrayBuffer())
      assert.equal(bytes.length, size)
      assert.equal(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, digest)
    }
    assert.equal(made, 1)
  })

  test('responds to HEAD without a body', async () => {
    const answer = await ask('team/site/manifests/1', 'HEAD')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('docker-content-digest') ?? '', /^sha256:/)
    assert.ok(Number(answer.headers.get('content-length')) > 0)
    assert.equal(await answer.text(), '')
  })

  test('rejects unknown images and pushes', async () => {
    for (const path of ['team/site/manifests/2', 'team/other/manifests/1', 'nothing'])
      assert.deepEqual(await (await ask(path)).json(), { errors: [{ code: 'MANIFEST_UNKNOWN' }] })
    assert.equal((await ask('team/site/blobs/sha256:0')).status, 404)
    assert.equal((await ask('team/site/manifests/3', 'PUT')).status, 405)
  })
})
