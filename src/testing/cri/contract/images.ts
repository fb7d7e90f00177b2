import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RuntimeHarness } from './runtime-harness.js'

export function imageContract(harness: () => RuntimeHarness): void {
  describe('images', () => {
    test('the runtime reports its version and that it is ready', async () => {
      const { runtime } = harness()
      const version = await runtime.version({ version: 'v1' })
      assert.equal(version.version, '0.1.0')
      assert.notEqual(version.runtimeName, '')
      assert.notEqual(version.runtimeVersion, '')
      const { status } = await runtime.status({})
      const conditions = status?.conditions.map(({ type, status }) => `${type} ${status}`)
      assert.deepEqual(conditions, ['RuntimeReady true', 'NetworkReady true'])
    })

    test('an image is pulled, found by name and id, listed and removed', async () => {
      const { runtime, underTest } = harness()
      const image = { image: underTest.registry.open }
      await runtime.removeImage({ image })
      assert.equal((await runtime.imageStatus({ image })).image, undefined)
      const { imageRef } = await runtime.pullImage({ image })
      const { image: found } = await runtime.imageStatus({ image })
      assert.equal(found?.id, imageRef)
      assert.deepEqual(found.repoTags, [underTest.registry.open])
      assert.match(found.repoDigests[0] ?? '', /^.+@sha256:[0-9a-f]{64}$/)
      assert.ok(found.size > 0)
      assert.equal((await runtime.imageStatus({ image: { image: imageRef } })).image?.id, imageRef)
      assert.equal((await runtime.imageStatus({ image: { image: found.repoDigests[0] } })).image?.id, imageRef)
      const { images } = await runtime.listImages({})
      assert.ok(images.some(({ id }) => id === imageRef))
      await runtime.removeImage({ image })
      assert.equal((await runtime.imageStatus({ image })).image, undefined)
      await runtime.removeImage({ image })
    })

    test('a pull of a present image changes nothing', async () => {
      const { runtime, underTest } = harness()
      const image = { image: underTest.registry.open }
      const first = await runtime.pullImage({ image })
      assert.deepEqual(await runtime.pullImage({ image }), first)
    })

    test('a protected image is pulled only with its credentials', async () => {
      const { runtime, underTest } = harness()
      const { guarded, username, password } = underTest.registry
      const image = { image: guarded }
      await assert.rejects(runtime.pullImage({ image }), /failed to pull and unpack image .*(401|authoriz)/i)
      const wrong = { username, password: 'wrong' }
      await assert.rejects(runtime.pullImage({ image, auth: wrong }), (error: Error) => {
        assert.match(error.message, /failed to pull and unpack image/)
        assert.doesNotMatch(error.message, /wrong/)
        return true
      })
      assert.equal((await runtime.imageStatus({ image })).image, undefined)
      const { imageRef } = await runtime.pullImage({ image, auth: { username, password } })
      assert.match(imageRef, /^sha256:/)
      await runtime.removeImage({ image })
      const auth = Buffer.from(`${username}:${password}`).toString('base64')
      assert.equal((await runtime.pullImage({ image, auth: { auth } })).imageRef, imageRef)
    })

    test('a pull of an unknown image or of an invalid name is rejected', async () => {
      const { runtime, underTest } = harness()
      const image = { image: underTest.registry.missing }
      await assert.rejects(runtime.pullImage({ image }), { code: 'NotFound' })
      await assert.rejects(runtime.pullImage({ image: { image: 'Not A Name' } }), /invalid reference format/)
      assert.equal((await runtime.imageStatus({ image })).image, undefined)
    })

    test('the runtime reports the disk usage of its images', async () => {
      // containerd measures it every ten seconds.
      const usage = await harness().until(async () => {
        const { imageFilesystems } = await harness().runtime.imageFsInfo({})
        return imageFilesystems.find(({ usedBytes }) => (usedBytes?.value ?? 0) > 0)
      })
      assert.match(usage.fsId?.mountpoint ?? '', /^\//)
    })
  })
}
