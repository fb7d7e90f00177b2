import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pauseImageName } from '../../cri/images/pause-image.js'
import { type ImageGarbageCollectionPolicy, ImageGarbageCollector } from './image-garbage-collector.js'
import { type ImagesHarness, imagesHarness } from './images.test.kit.js'

const about = { metadata: { name: 'machine' } }
const sizes = [
  { name: '*:small', does: { size: 10 } },
  { name: '*:large', does: { size: 30 } },
]

/** A filesystem of a hundred bytes. */
function collection(harness: ImagesHarness, available: () => number, policy: ImageGarbageCollectionPolicy = {}) {
  const left: (readonly string[])[] = []
  const collected = new ImageGarbageCollector({
    environment: harness.environment,
    runtime: harness.runtime,
    measure: async () => ({ capacity: 100, available: available() }),
    events: { record: ({ reason, message }) => void harness.told.push(`${reason}: ${message}`) },
    about,
    remaining: (ids) => left.push([...ids]),
    policy,
  })
  return { collected, left }
}

const namesIn = async (harness: ImagesHarness) => {
  const { images } = await harness.runtime.listImages({})
  return images.flatMap(({ repoTags }) => repoTags.map((tag) => tag.replace('docker.io/library/', ''))).sort()
}

async function run(harness: ImagesHarness, image: string): Promise<void> {
  const metadata = { name: image, uid: image, namespace: 'default', attempt: 0 }
  const { podSandboxId } = await harness.runtime.runPodSandbox({ config: { metadata } })
  const config = { metadata: { name: 'c', attempt: 0 }, image: { image } }
  await harness.runtime.createContainer({ podSandboxId, config })
}

describe('image garbage collection', () => {
  test('does nothing while there is space', async () => {
    using harness = await imagesHarness({ scenario: { images: sizes, present: ['a:small'] } })
    await collection(harness, () => 16).collected.collect()
    assert.deepEqual(await namesIn(harness), ['a:small'])
  })

  test('frees space, but keeps used images and the sandbox image', async () => {
    const present = [pauseImageName, 'used:large', 'a:small', 'b:large', 'c:large']
    using harness = await imagesHarness({ scenario: { images: sizes, present } })
    await run(harness, 'used:large')
    await collection(harness, () => 5).collected.collect() // 15 bytes are missing to 20
    assert.deepEqual(await namesIn(harness), ['c:large', pauseImageName, 'used:large'])
  })

  test('removes the longest unused first', async () => {
    using harness = await imagesHarness({ scenario: { images: sizes, present: ['a:small', 'b:small'] } })
    let available = 50
    const { collected } = collection(harness, () => available)
    await run(harness, 'a:small')
    await collected.collect()
    for (const { id } of (await harness.runtime.listContainers({})).containers)
      await harness.runtime.removeContainer({ containerId: id })
    await harness.clock.advance('1m')
    available = 11
    await collected.collect()
    assert.deepEqual(await namesIn(harness), ['a:small'])
  })

  test('keeps new images', async () => {
    using harness = await imagesHarness({ scenario: { images: sizes } })
    const { collected } = collection(harness, () => 10)
    await collected.collect().catch(() => {}) // there are no images yet
    await harness.runtime.pullImage({ image: { image: 'a:small' } })
    await assert.rejects(collected.collect())
    await harness.clock.advance('119s')
    await assert.rejects(collected.collect())
    await harness.clock.advance('1s')
    await collected.collect()
    assert.deepEqual(await namesIn(harness), [])
  })

  test('keeps pinned images', async () => {
    using harness = await imagesHarness({ scenario: { images: sizes, present: ['a:small'] } })
    const { listImages } = harness.runtime
    harness.runtime.listImages = async (request) => {
      const { images } = await listImages(request)
      return { images: images.map((image) => ({ ...image, pinned: true })) }
    }
    await assert.rejects(collection(harness, () => 10).collected.collect())
    assert.deepEqual(await namesIn(harness), ['a:small'])
  })

  test('removes images that are unused for longer than the policy says', async () => {
    using harness = await imagesHarness({ scenario: { images: sizes, present: ['a:small', 'used:small'] } })
    await run(harness, 'used:small')
    const { collected } = collection(harness, () => 90, { maxAge: 3_600_000 })
    await collected.collect()
    await harness.clock.advance('1h')
    await collected.collect()
    assert.equal((await namesIn(harness)).length, 2)
    await harness.clock.advance(1)
    await collected.collect()
    assert.deepEqual(await namesIn(harness), ['used:small'])
  })

  test('records events if it frees too little, or fails repeatedly', async () => {
    using harness = await imagesHarness({ scenario: { images: sizes, present: ['a:small'] } })
    const ending = new AbortController()
    const running = collection(harness, () => 5).collected.run(ending.signal)
    const message =
      'Failed to garbage collect required amount of images. Attempted to free 15 bytes, but only found 10 bytes eligible to free.'
    await harness.clock.settle()
    assert.deepEqual(harness.told, [`FreeDiskSpaceFailed: ${message}`])
    await harness.clock.advance('5m')
    assert.equal(harness.told.length, 3)
    assert.match(harness.told[2]!, /^ImageGCFailed: Failed to garbage collect/)
    ending.abort()
    await running
    assert.equal(harness.clock.pending, 0)
  })

  test('reports the remaining images', async () => {
    using harness = await imagesHarness({ scenario: { images: sizes, present: ['a:small'] } })
    const { collected, left } = collection(harness, () => 50)
    await collected.collect()
    assert.equal(left[0]?.length, 1)
  })
})
