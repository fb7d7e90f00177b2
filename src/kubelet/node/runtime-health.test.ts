import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { RuntimeHealth } from './runtime-health.js'

test('status and images stay the same objects while the runtime reports the same', async () => {
  const clock = new VirtualClock()
  let [isReady, size] = [true, 1]
  const runtime = {
    status: async () => ({
      status: { conditions: [{ type: 'RuntimeReady', status: isReady, reason: '', message: '' }] },
    }),
    version: async () => ({ runtimeName: 'test', runtimeVersion: '1' }),
    listImages: async () => ({ images: [{ id: 'a', size, repoTags: ['a'], repoDigests: [] }] }),
    imageFsInfo: async () => ({ imageFilesystems: [] }),
  }
  const health = new RuntimeHealth({ environment: environment({ clock }), runtime: runtime as never })
  await health.check()
  const { runtimeStatus, images } = health
  await clock.advance('31s')
  await health.check()
  assert.equal(health.runtimeStatus, runtimeStatus)
  assert.equal(health.images, images)
  isReady = false
  size = 2
  await clock.advance('31s')
  await health.check()
  assert.notEqual(health.runtimeStatus, runtimeStatus)
  assert.equal(health.images[0]?.size, 2)
})
