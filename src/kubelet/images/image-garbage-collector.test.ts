import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pauseImageName } from '../../cri/images/pause-image.js'
import { type ImageGarbageCollectionPolicy, ImageGarbageCollector } from './image-garbage-collector.js'
import { type Kitchen, kitchen } from './images.test.kit.js'

const about = { metadata: { name: 'machine' } }
const sizes = [
  { name: '*:small', does: { size: 10 } },
  { name: '*:large', does: { size: 30 } },
]

/** A filesystem of a hundred bytes. */
function collection(world: Kitchen, available: () => number, policy: ImageGarbageCollectionPolicy = {}) {
  const left: (readonly string[])[] = []
  const collected = new ImageGarbageCollector({
    environment: world.environment,
    runtime: world.runtime,
    measure: async () => ({ capacity: 100, available: available() }),
    events: { record: ({ reason, message }) => void world.told.push(`${reason}: ${message}`) },
    about,
    remaining: (ids) => left.push([...ids]),
    policy,
  })
  return { collected, left }
}

const namesIn = async (world: Kitchen) => {
  const { images } = await world.runtime.listImages({})
  return images.flatMap(({ repoTags }) => repoTags.map((tag) => tag.replace('docker.io/library/', ''))).sort()
}

async function run(world: Kitchen, image: string): Promise<void> {
  const metadata = { name: image, uid: image, namespace: 'default', attempt: 0 }
  const { podSandboxId } = await world.runtime.runPodSandbox({ config: { metadata } })
  const config = { metadata: { name: 'c', attempt: 0 }, image: { image } }
  await world.runtime.createContainer({ podSandboxId, config })
}

describe('images are collected', () => {
  test('not while there is space', async () => {
    using world = await kitchen({ scenario: { images: sizes, present: ['a:small'] } })
    await collection(world, () => 16).collected.collect()
    assert.deepEqual(await namesIn(world), ['a:small'])
  })

  test('until there is space again, those in use and the sandbox image spared', async () => {
    const present = [pauseImageName, 'used:large', 'a:small', 'b:large', 'c:large']
    using world = await kitchen({ scenario: { images: sizes, present } })
    await run(world, 'used:large')
    await collection(world, () => 5).collected.collect() // 15 bytes are missing to 20
    assert.deepEqual(await namesIn(world), ['c:large', pauseImageName, 'used:large'])
  })

  test('the longest unused first', async () => {
    using world = await kitchen({ scenario: { images: sizes, present: ['a:small', 'b:small'] } })
    let available = 50
    const { collected } = collection(world, () => available)
    await run(world, 'a:small')
    await collected.collect()
    for (const { id } of (await world.runtime.listContainers({})).containers)
      await world.runtime.removeContainer({ containerId: id })
    await world.clock.advance('1m')
    available = 11
    await collected.collect()
    assert.deepEqual(await namesIn(world), ['a:small'])
  })

  test('not those that have only just come', async () => {
    using world = await kitchen({ scenario: { images: sizes } })
    const { collected } = collection(world, () => 10)
    await collected.collect().catch(() => {}) // there is nothing yet
    await world.runtime.pullImage({ image: { image: 'a:small' } })
    await assert.rejects(collected.collect())
    await world.clock.advance('119s')
    await assert.rejects(collected.collect())
    await world.clock.advance('1s')
    await collected.collect()
    assert.deepEqual(await namesIn(world), [])
  })

  test('not those that are pinned', async () => {
    using world = await kitchen({ scenario: { images: sizes, present: ['a:small'] } })
    const { listImages } = world.runtime
    world.runtime.listImages = async (request) => {
      const { images } = await listImages(request)
      return { images: images.map((image) => ({ ...image, pinned: true })) }
    }
    await assert.rejects(collection(world, () => 10).collected.collect())
    assert.deepEqual(await namesIn(world), ['a:small'])
  })

  test('after they were not used for as long as the policy says', async () => {
    using world = await kitchen({ scenario: { images: sizes, present: ['a:small', 'used:small'] } })
    await run(world, 'used:small')
    const { collected } = collection(world, () => 90, { maxAge: 3_600_000 })
    await collected.collect()
    await world.clock.advance('1h')
    await collected.collect()
    assert.equal((await namesIn(world)).length, 2)
    await world.clock.advance(1)
    await collected.collect()
    assert.deepEqual(await namesIn(world), ['used:small'])
  })

  test('and it is told when that is not enough, and when it fails again and again', async () => {
    using world = await kitchen({ scenario: { images: sizes, present: ['a:small'] } })
    const ending = new AbortController()
    const running = collection(world, () => 5).collected.run(ending.signal)
    const message =
      'Failed to garbage collect required amount of images. Attempted to free 15 bytes, but only found 10 bytes eligible to free.'
    await world.clock.settle()
    assert.deepEqual(world.told, [`FreeDiskSpaceFailed: ${message}`])
    await world.clock.advance('5m')
    assert.equal(world.told.length, 3)
    assert.match(world.told[2]!, /^ImageGCFailed: Failed to garbage collect/)
    ending.abort()
    await running
    assert.equal(world.clock.pending, 0)
  })

  test('and whoever keeps records of images is told of those that are left', async () => {
    using world = await kitchen({ scenario: { images: sizes, present: ['a:small'] } })
    const { collected, left } = collection(world, () => 50)
    await collected.collect()
    assert.equal(left[0]?.length, 1)
  })
})
