import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failureOf, kitchen, pullSecret, requestOf } from './images.test.kit.js'

const present = { present: ['web:1'] }
const alreadyThere = 'Normal Pulled: Container image "web:1" already present on machine and can be accessed by the pod'

describe('an image that is there', () => {
  test('is used', async () => {
    using world = await kitchen({ scenario: { ...present, images: [{ name: '*', does: { user: '1000' } }] } })
    const { ref, uid } = await world.images.ensure(requestOf('web:1'))
    assert.match(ref, /^sha256:/)
    assert.equal(uid, 1000)
    assert.deepEqual(world.told, [alreadyThere])
    assert.deepEqual(world.pulls, [])
  })

  test('is used with the policy Never, too', async () => {
    using world = await kitchen({ scenario: present })
    await world.images.ensure(requestOf('web:1', { policy: 'Never' }))
    assert.deepEqual(world.told, [alreadyThere])
  })

  test('is pulled all the same with the policy Always', async () => {
    using world = await kitchen({ scenario: { ...present, images: [{ name: '*', does: { delay: 3200, size: 77 } }] } })
    const ensured = world.images.ensure(requestOf('web:1', { policy: 'Always' }))
    await world.clock.advance('4s')
    await ensured
    assert.deepEqual(world.told, [
      'Normal Pulling: Pulling image "web:1"',
      'Normal Pulled: Successfully pulled image "web:1" in 3.2s (3.2s including waiting). Image size: 77 bytes.',
    ])
  })
})

describe('an image that is not there', () => {
  test('is pulled by its name with a tag', async () => {
    using world = await kitchen()
    await world.images.ensure(requestOf('web'))
    assert.deepEqual(world.pulls, ['web:latest'])
  })

  test('is not pulled with the policy Never', async () => {
    using world = await kitchen()
    const message = 'Container image "web:1" is not present with pull policy of Never'
    assert.equal(
      await failureOf(world.images.ensure(requestOf('web:1', { policy: 'Never' }))),
      `ErrImageNeverPull: ${message}`,
    )
    assert.deepEqual(world.told, [`Warning ErrImageNeverPull: ${message}`, 'Warning Failed: Error: ErrImageNeverPull'])
  })

  test('that has no name for an image is told as such', async () => {
    using world = await kitchen()
    const message =
      'Failed to apply default image tag "UPPER": couldn\'t parse image name "UPPER": invalid reference format: repository name (library/UPPER) must be lowercase'
    assert.equal(await failureOf(world.images.ensure(requestOf('UPPER'))), `InvalidImageName: ${message}`)
    assert.deepEqual(world.told, [`Warning InspectFailed: ${message}`, 'Warning Failed: Error: InvalidImageName'])
  })
})

describe('a pull that fails', () => {
  const images = [{ name: '*', does: { error: 'no route to host' } }]
  const problem =
    'failed to pull and unpack image "docker.io/library/web:1": failed to resolve reference "docker.io/library/web:1": no route to host'

  test('is told, then held back for longer and longer, and says why', async () => {
    using world = await kitchen({ scenario: { images } })
    const look = () => failureOf(world.images.ensure(requestOf('web:1')))
    assert.equal(await look(), `ErrImagePull: ${problem}`)
    assert.deepEqual(world.told.splice(0), [
      'Normal Pulling: Pulling image "web:1"',
      `Warning Failed: Failed to pull image "web:1": ${problem}`,
      'Warning Failed: Error: ErrImagePull',
    ])
    assert.equal(await look(), `ImagePullBackOff: Back-off pulling image "web:1": ErrImagePull: ${problem}`)
    assert.deepEqual(world.told.splice(0), [
      'Normal BackOff: Back-off pulling image "web:1"',
      'Warning Failed: Error: ImagePullBackOff',
    ])
    for (const seconds of [10, 20, 40, 80, 160, 300, 300]) {
      await world.clock.advance(seconds * 1000 - 1)
      assert.match(await look(), /^ImagePullBackOff/)
      await world.clock.advance(1)
      assert.match(await look(), /^ErrImagePull/)
    }
  })

  test('of one pod does not hold back another pod, nor another image', async () => {
    using world = await kitchen({ scenario: { images } })
    await failureOf(world.images.ensure(requestOf('web:1')))
    assert.match(await failureOf(world.images.ensure(requestOf('web:1', { uid: 'u2' }))), /^ErrImagePull/)
    assert.match(await failureOf(world.images.ensure(requestOf('web:2'))), /^ErrImagePull/)
  })

  test('tells the code of an error that has one', async () => {
    using world = await kitchen({ scenario: { images: [{ name: '*', does: { missing: true } }] } })
    assert.match(
      await failureOf(world.images.ensure(requestOf('web:1'))),
      /^ErrImagePull: rpc error: code = NotFound desc = /,
    )
  })

  test('for a reason that has a name is told by it', async () => {
    using world = await kitchen()
    world.runtime.pullImage = async () => {
      throw new Error('RegistryUnavailable: it sleeps')
    }
    assert.equal(
      await failureOf(world.images.ensure(requestOf('web:1'))),
      'RegistryUnavailable: image pull failed for web:1 because the registry is unavailable: it sleeps',
    )
  })
})

describe('pulls', () => {
  const slow = { images: [{ name: '*', does: { delay: 10_000 } }] }

  test('are one after the other, and the wait is told', async () => {
    using world = await kitchen({ scenario: slow })
    const ensured = Promise.all(['web:1', 'web:2'].map((image) => world.images.ensure(requestOf(image))))
    await world.clock.advance('10s')
    assert.deepEqual(world.pulls, ['web:1', 'web:2'])
    await world.clock.advance('10s')
    await ensured
    assert.match(world.told.at(-1)!, /"web:2" in 10s \(20s including waiting\)/)
  })

  test('are as many at once as may be', async () => {
    using world = await kitchen({ scenario: slow, pulls: { atOnce: 2 } })
    const ensured = Promise.all(['web:1', 'web:2', 'web:3'].map((image) => world.images.ensure(requestOf(image))))
    await world.clock.settle()
    assert.deepEqual(world.pulls, ['web:1', 'web:2'])
    await world.clock.advance('20s')
    await ensured
  })

  test('of one image are one pull for all who wait', async () => {
    using world = await kitchen({ scenario: slow })
    const uids = ['u1', 'u2', 'u3']
    const ensured = Promise.all(uids.map((uid) => world.images.ensure(requestOf('web:1', { uid, policy: 'Always' }))))
    await world.clock.advance('10s')
    await ensured
    assert.deepEqual(world.pulls, ['web:1'])
    assert.equal(world.told.filter((line) => line.includes('Successfully pulled')).length, 3)
  })

  test('are given up when nobody waits any more, and not before', async () => {
    using world = await kitchen({ scenario: slow })
    const [one, other] = [new AbortController(), new AbortController()]
    const first = world.images.ensure(requestOf('web:1', { signal: one.signal }))
    const second = world.images.ensure(requestOf('web:1', { uid: 'u2', signal: other.signal }))
    await world.clock.settle()
    one.abort(new Error('the pod is gone'))
    await assert.rejects(first, /the pod is gone/)
    other.abort(new Error('that one, too'))
    await assert.rejects(second, /that one, too/)
    await world.clock.settle()
    assert.equal(world.clock.pending, 0)
    const third = world.images.ensure(requestOf('web:1', { uid: 'u3' }))
    await world.clock.advance('10s')
    await third
    assert.deepEqual(world.pulls, ['web:1', 'web:1'])
  })

  test('are no more in a second than may be', async () => {
    using world = await kitchen({ pulls: { atOnce: 100, perSecond: 1, burst: 2 } })
    const ensured = Promise.all([1, 2, 3, 4].map((tag) => world.images.ensure(requestOf(`web:${tag}`))))
    await world.clock.settle()
    assert.equal(world.pulls.length, 2)
    await world.clock.advance('1s')
    assert.equal(world.pulls.length, 3)
    await world.clock.advance('1s')
    await ensured
  })
})

describe('a registry with a password', () => {
  const scenario = { images: [{ name: 'guarded.example/*', does: { username: 'me', password: 'topsecret' } }] }
  const mine = pullSecret('mine', { 'guarded.example': { username: 'me', password: 'topsecret' } })
  const wrong = pullSecret('wrong', { 'guarded.example/team': { username: 'me', password: 'notsecret' } })
  const same = pullSecret('same', { 'https://guarded.example/v2/': { username: 'me', password: 'topsecret' } })
  const secrets = [mine, wrong, same]
  const image = 'guarded.example/team/web:1'

  test('opens with one of the secrets of the pod, and nobody tells of them', async () => {
    using world = await kitchen({ scenario, secrets })
    await world.images.ensure(requestOf(image, { secrets: ['wrong', 'mine'] }))
    assert.equal(world.pulls.length, 2)
    assert.ok(!JSON.stringify([world.told, world.logged]).includes('secret'))
  })

  test('stays closed without', async () => {
    using world = await kitchen({ scenario, secrets })
    assert.match(await failureOf(world.images.ensure(requestOf(image))), /^ErrImagePull: .*401 Unauthorized/)
  })

  test('does not open for a pod because it opens for another at the same moment', async () => {
    const slowly = { images: [{ name: '*', does: { delay: 1000, username: 'me', password: 'topsecret' } }] }
    using world = await kitchen({ scenario: slowly, secrets, pulls: { atOnce: 2 } })
    const friend = failureOf(world.images.ensure(requestOf(image, { secrets: ['mine'] })))
    const stranger = failureOf(world.images.ensure(requestOf(image, { uid: 'u2' })))
    await world.clock.advance('1s')
    assert.equal(await friend, '')
    assert.match(await stranger, /^ErrImagePull/)
  })

  test('a secret that is not there is told of', async () => {
    using world = await kitchen({ scenario, secrets })
    await world.images.ensure(requestOf(image, { secrets: ['gone', 'mine', 'lost'] }))
    assert.equal(
      world.told[0],
      'Warning FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (gone, lost); attempting to pull the image may not succeed.',
    )
  })

  test('an image from there is not for pods that could not pull it, also after a restart', async () => {
    using world = await kitchen({ scenario, secrets })
    await world.images.ensure(requestOf(image, { secrets: ['mine'] }))
    for (const images of [world.images, world.restarted()]) {
      assert.match(await failureOf(images.ensure(requestOf(image, { uid: `${Math.random()}` }))), /^ErrImagePull/)
      assert.match(await failureOf(images.ensure(requestOf(image, { policy: 'Never' }))), /^ErrImageNeverPull/)
    }
    world.pulls.length = 0
    await world.images.ensure(requestOf(image, { uid: 'u4', secrets: ['same'] }))
    assert.deepEqual(world.pulls, [])
  })

  test('an image that was pulled without a secret is for everybody', async () => {
    using world = await kitchen({ scenario })
    await world.images.ensure(requestOf('open.example/web:1'))
    world.pulls.length = 0
    await world.images.ensure(requestOf('open.example/web:1', { uid: 'u2' }))
    assert.deepEqual(world.pulls, [])
  })

  test('an image whose pull the kubelet did not see the end of is pulled again', async () => {
    using world = await kitchen()
    const { pullImage } = world.runtime
    world.runtime.pullImage = () => new Promise(() => {})
    void world.images.ensure(requestOf('web')) // until the kubelet is killed
    await world.clock.settle()
    world.runtime.pullImage = pullImage
    await pullImage({ image: { image: 'web:latest' } }) // the runtime went on
    const early = failureOf(world.images.ensure(requestOf('web', { uid: 'u2', policy: 'Never' })))
    assert.match(await early, /^ErrImageNeverPull/)
    world.pulls.length = 0
    await world.restarted().ensure(requestOf('web'))
    assert.deepEqual(world.pulls, ['web:latest'])
    world.pulls.length = 0
    await world.restarted().ensure(requestOf('web'))
    assert.deepEqual(world.pulls, [])
  })
})
