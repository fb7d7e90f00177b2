import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failureOf, imagesHarness, pullSecret, requestOf } from './images.test.kit.js'

const present = { present: ['web:1'] }
const alreadyThere = 'Normal Pulled: Container image "web:1" already present on machine and can be accessed by the pod'

describe('a present image', () => {
  test('is used', async () => {
    using harness = await imagesHarness({ scenario: { ...present, images: [{ name: '*', does: { user: '1000' } }] } })
    const { ref, uid } = await harness.images.ensure(requestOf('web:1'))
    assert.match(ref, /^sha256:/)
    assert.equal(uid, 1000)
    assert.deepEqual(harness.told, [alreadyThere])
    assert.deepEqual(harness.pulls, [])
  })

  test('is used with the policy Never', async () => {
    using harness = await imagesHarness({ scenario: present })
    await harness.images.ensure(requestOf('web:1', { policy: 'Never' }))
    assert.deepEqual(harness.told, [alreadyThere])
  })

  test('is pulled with the policy Always', async () => {
    using harness = await imagesHarness({
      scenario: { ...present, images: [{ name: '*', does: { delay: 3200, size: 77 } }] },
    })
    const ensured = harness.images.ensure(requestOf('web:1', { policy: 'Always' }))
    await harness.clock.advance('4s')
    await ensured
    assert.deepEqual(harness.told, [
      'Normal Pulling: Pulling image "web:1"',
      'Normal Pulled: Successfully pulled image "web:1" in 3.2s (3.2s including waiting). Image size: 77 bytes.',
    ])
  })
})

describe('a missing image', () => {
  test('is pulled with its default tag', async () => {
    using harness = await imagesHarness()
    await harness.images.ensure(requestOf('web'))
    assert.deepEqual(harness.pulls, ['web:latest'])
  })

  test('is not pulled with the policy Never', async () => {
    using harness = await imagesHarness()
    const message = 'Container image "web:1" is not present with pull policy of Never'
    assert.equal(
      await failureOf(harness.images.ensure(requestOf('web:1', { policy: 'Never' }))),
      `ErrImageNeverPull: ${message}`,
    )
    assert.deepEqual(harness.told, [
      `Warning ErrImageNeverPull: ${message}`,
      'Warning Failed: Error: ErrImageNeverPull',
    ])
  })

  test('with an invalid name is reported as such', async () => {
    using harness = await imagesHarness()
    const message =
      'Failed to apply default image tag "UPPER": couldn\'t parse image name "UPPER": invalid reference format: repository name (library/UPPER) must be lowercase'
    assert.equal(await failureOf(harness.images.ensure(requestOf('UPPER'))), `InvalidImageName: ${message}`)
    assert.deepEqual(harness.told, [`Warning InspectFailed: ${message}`, 'Warning Failed: Error: InvalidImageName'])
  })
})

describe('a failed pull', () => {
  const images = [{ name: '*', does: { error: 'no route to host' } }]
  const problem =
    'failed to pull and unpack image "docker.io/library/web:1": failed to resolve reference "docker.io/library/web:1": no route to host'

  test('is recorded, then delayed longer and longer, with the reason', async () => {
    using harness = await imagesHarness({ scenario: { images } })
    const look = () => failureOf(harness.images.ensure(requestOf('web:1')))
    assert.equal(await look(), `ErrImagePull: ${problem}`)
    assert.deepEqual(harness.told.splice(0), [
      'Normal Pulling: Pulling image "web:1"',
      `Warning Failed: Failed to pull image "web:1": ${problem}`,
      'Warning Failed: Error: ErrImagePull',
    ])
    assert.equal(await look(), `ImagePullBackOff: Back-off pulling image "web:1": ErrImagePull: ${problem}`)
    assert.deepEqual(harness.told.splice(0), [
      'Normal BackOff: Back-off pulling image "web:1"',
      'Warning Failed: Error: ImagePullBackOff',
    ])
    for (const seconds of [10, 20, 40, 80, 160, 300, 300]) {
      await harness.clock.advance(seconds * 1000 - 1)
      assert.match(await look(), /^ImagePullBackOff/)
      await harness.clock.advance(1)
      assert.match(await look(), /^ErrImagePull/)
    }
  })

  test('does not delay other pods or other images', async () => {
    using harness = await imagesHarness({ scenario: { images } })
    await failureOf(harness.images.ensure(requestOf('web:1')))
    assert.match(await failureOf(harness.images.ensure(requestOf('web:1', { uid: 'u2' }))), /^ErrImagePull/)
    assert.match(await failureOf(harness.images.ensure(requestOf('web:2'))), /^ErrImagePull/)
  })

  test('reports the code of an error', async () => {
    using harness = await imagesHarness({ scenario: { images: [{ name: '*', does: { missing: true } }] } })
    assert.match(
      await failureOf(harness.images.ensure(requestOf('web:1'))),
      /^ErrImagePull: rpc error: code = NotFound desc = /,
    )
  })

  test('with a named reason reports it', async () => {
    using harness = await imagesHarness()
    harness.runtime.pullImage = async () => {
      throw new Error('RegistryUnavailable: it sleeps')
    }
    assert.equal(
      await failureOf(harness.images.ensure(requestOf('web:1'))),
      'RegistryUnavailable: image pull failed for web:1 because the registry is unavailable: it sleeps',
    )
  })
})

describe('pulls', () => {
  const slow = { images: [{ name: '*', does: { delay: 10_000 } }] }

  test('run one after the other, and the wait is reported', async () => {
    using harness = await imagesHarness({ scenario: slow })
    const ensured = Promise.all(['web:1', 'web:2'].map((image) => harness.images.ensure(requestOf(image))))
    await harness.clock.advance('10s')
    assert.deepEqual(harness.pulls, ['web:1', 'web:2'])
    await harness.clock.advance('10s')
    await ensured
    assert.match(harness.told.at(-1)!, /"web:2" in 10s \(20s including waiting\)/)
  })

  test('run concurrently up to the limit', async () => {
    using harness = await imagesHarness({ scenario: slow, pulls: { atOnce: 2 } })
    const ensured = Promise.all(['web:1', 'web:2', 'web:3'].map((image) => harness.images.ensure(requestOf(image))))
    await harness.clock.settle()
    assert.deepEqual(harness.pulls, ['web:1', 'web:2'])
    await harness.clock.advance('20s')
    await ensured
  })

  test('of one image are shared', async () => {
    using harness = await imagesHarness({ scenario: slow })
    const uids = ['u1', 'u2', 'u3']
    const ensured = Promise.all(uids.map((uid) => harness.images.ensure(requestOf('web:1', { uid, policy: 'Always' }))))
    await harness.clock.advance('10s')
    await ensured
    assert.deepEqual(harness.pulls, ['web:1'])
    assert.equal(harness.told.filter((line) => line.includes('Successfully pulled')).length, 3)
  })

  test('are aborted when no caller waits, and not before', async () => {
    using harness = await imagesHarness({ scenario: slow })
    const [one, other] = [new AbortController(), new AbortController()]
    const first = harness.images.ensure(requestOf('web:1', { signal: one.signal }))
    const second = harness.images.ensure(requestOf('web:1', { uid: 'u2', signal: other.signal }))
    await harness.clock.settle()
    one.abort(new Error('the pod is gone'))
    await assert.rejects(first, /the pod is gone/)
    other.abort(new Error('that one, too'))
    await assert.rejects(second, /that one, too/)
    await harness.clock.settle()
    assert.equal(harness.clock.pending, 0)
    const third = harness.images.ensure(requestOf('web:1', { uid: 'u3' }))
    await harness.clock.advance('10s')
    await third
    assert.deepEqual(harness.pulls, ['web:1', 'web:1'])
  })

  test('are limited per second', async () => {
    using harness = await imagesHarness({ pulls: { atOnce: 100, perSecond: 1, burst: 2 } })
    const ensured = Promise.all([1, 2, 3, 4].map((tag) => harness.images.ensure(requestOf(`web:${tag}`))))
    await harness.clock.settle()
    assert.equal(harness.pulls.length, 2)
    await harness.clock.advance('1s')
    assert.equal(harness.pulls.length, 3)
    await harness.clock.advance('1s')
    await ensured
  })
})

describe('a protected registry', () => {
  const scenario = { images: [{ name: 'guarded.example/*', does: { username: 'me', password: 'topsecret' } }] }
  const mine = pullSecret('mine', { 'guarded.example': { username: 'me', password: 'topsecret' } })
  const wrong = pullSecret('wrong', { 'guarded.example/team': { username: 'me', password: 'notsecret' } })
  const same = pullSecret('same', { 'https://guarded.example/v2/': { username: 'me', password: 'topsecret' } })
  const secrets = [mine, wrong, same]
  const image = 'guarded.example/team/web:1'

  test('accepts a secret of the pod, and no secret is logged', async () => {
    using harness = await imagesHarness({ scenario, secrets })
    await harness.images.ensure(requestOf(image, { secrets: ['wrong', 'mine'] }))
    assert.equal(harness.pulls.length, 2)
    assert.ok(!JSON.stringify([harness.told, harness.logged]).includes('secret'))
  })

  test('denies access without one', async () => {
    using harness = await imagesHarness({ scenario, secrets })
    assert.match(await failureOf(harness.images.ensure(requestOf(image))), /^ErrImagePull: .*401 Unauthorized/)
  })

  test('denies access to another pod at the same moment', async () => {
    const slowly = { images: [{ name: '*', does: { delay: 1000, username: 'me', password: 'topsecret' } }] }
    using harness = await imagesHarness({ scenario: slowly, secrets, pulls: { atOnce: 2 } })
    const friend = failureOf(harness.images.ensure(requestOf(image, { secrets: ['mine'] })))
    const stranger = failureOf(harness.images.ensure(requestOf(image, { uid: 'u2' })))
    await harness.clock.advance('1s')
    assert.equal(await friend, '')
    assert.match(await stranger, /^ErrImagePull/)
  })

  test('a missing secret is recorded', async () => {
    using harness = await imagesHarness({ scenario, secrets })
    await harness.images.ensure(requestOf(image, { secrets: ['gone', 'mine', 'lost'] }))
    assert.equal(
      harness.told[0],
      'Warning FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (gone, lost); attempting to pull the image may not succeed.',
    )
  })

  test('its images are not for pods without access, also after a restart', async () => {
    using harness = await imagesHarness({ scenario, secrets })
    await harness.images.ensure(requestOf(image, { secrets: ['mine'] }))
    for (const images of [harness.images, harness.restarted()]) {
      assert.match(await failureOf(images.ensure(requestOf(image, { uid: `${Math.random()}` }))), /^ErrImagePull/)
      assert.match(await failureOf(images.ensure(requestOf(image, { policy: 'Never' }))), /^ErrImageNeverPull/)
    }
    harness.pulls.length = 0
    await harness.images.ensure(requestOf(image, { uid: 'u4', secrets: ['same'] }))
    assert.deepEqual(harness.pulls, [])
  })

  test('an image that was pulled without a secret is for all pods', async () => {
    using harness = await imagesHarness({ scenario })
    await harness.images.ensure(requestOf('open.example/web:1'))
    harness.pulls.length = 0
    await harness.images.ensure(requestOf('open.example/web:1', { uid: 'u2' }))
    assert.deepEqual(harness.pulls, [])
  })

  test('an image with an interrupted pull is pulled again', async () => {
    using harness = await imagesHarness()
    const { pullImage } = harness.runtime
    harness.runtime.pullImage = () => new Promise(() => {})
    void harness.images.ensure(requestOf('web')) // until the kubelet is killed
    await harness.clock.settle()
    harness.runtime.pullImage = pullImage
    await pullImage({ image: { image: 'web:latest' } }) // the runtime continued
    const early = failureOf(harness.images.ensure(requestOf('web', { uid: 'u2', policy: 'Never' })))
    assert.match(await early, /^ErrImageNeverPull/)
    harness.pulls.length = 0
    await harness.restarted().ensure(requestOf('web'))
    assert.deepEqual(harness.pulls, ['web:latest'])
    harness.pulls.length = 0
    await harness.restarted().ensure(requestOf('web'))
    assert.deepEqual(harness.pulls, [])
  })
})
