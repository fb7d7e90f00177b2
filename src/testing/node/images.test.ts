import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { Secret } from '../../api/core/v1/secret.js'
import { writeRegistryHost } from '../../cri/containerd/registry-host.js'
import { packImage } from '../../cri/images/image-archive.js'
import { pauseImageName } from '../../cri/images/pause-image.js'
import { busyboxImage } from '../containers/busybox-image.js'
import { containersMissing } from '../containers/container-packages.js'
import { RegistryServer, registryUser } from '../containers/registry-server.js'
import { containerStateOf, idle, script, type TestNodeHarness, until } from './node-harness.js'
import { nodeSuite } from './node-suite.js'

let open: RegistryServer
let guarded: RegistryServer

/** Each is another image: removing one takes all of its names. */
async function pushed(registry: RegistryServer, repository: string): Promise<string> {
  const image = { ...busyboxImage(), config: { Env: ['PATH=/bin'], Cmd: ['sh'], Labels: { repository } } }
  return registry.push(await packImage(image), repository, '1')
}

/** The node believes both registries without TLS. */
function trust({ node }: TestNodeHarness): void {
  for (const { host, url } of [open, guarded]) writeRegistryHost(node.containerd.registryFolder, { host, server: url })
}

async function pullSecret(harness: TestNodeHarness, name: string, password: string): Promise<void> {
  const auths = { [guarded.host]: { username: registryUser.username, password } }
  await harness.client
    .resource(Secret)
    .in(harness.namespace)
    .create({
      metadata: { name },
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') },
    })
}

const waits = (reason: string) => (pod: Pod) => containerStateOf(pod)?.waiting?.reason === reason

if (!(await containersMissing())) {
  before(async () => {
    ;[open, guarded] = await Promise.all([RegistryServer.start(), RegistryServer.start({ protected: true })])
  })
  after(() => Promise.all([open.close(), guarded.close()]))
}

/** All secrets defined in `imagePullSecrets` are retrieved; the image is pulled. */
await nodeSuite(
  'an image',
  {
    'comes from a registry, once': async (harness) => {
      trust(harness)
      const image = await pushed(open, 'web')
      await harness.run('p', { containers: [script('c', idle, { image })] })
      const pod = await harness.ready('p')
      await harness.event(
        'p',
        /^Normal Pulled: Successfully pulled image ".*\/web:1" in \S+ \(\S+ including waiting\)\. Image size: \d+ bytes\.$/,
      )
      assert.match(pod.status.containerStatuses![0]!.imageID, /\/web@sha256:[0-9a-f]{64}$/)
      await harness.run('q', { containers: [script('c', idle, { image, imagePullPolicy: 'IfNotPresent' })] })
      await harness.ready('q')
      await harness.event(
        'q',
        /^Normal Pulled: Container image ".*" already present on machine and can be accessed by the pod$/,
      )
      await harness.run('r', { containers: [script('c', idle, { image, imagePullPolicy: 'Always' })] })
      await harness.ready('r')
      await harness.event('r', /^Normal Pulling: Pulling image/)
    },

    'is not pulled where nobody wants that': async (harness) => {
      trust(harness)
      await harness.run('p', {
        containers: [script('c', idle, { image: `${open.host}/nowhere:1`, imagePullPolicy: 'Never' })],
      })
      const { status } = await harness.pod('p', waits('ErrImageNeverPull'))
      assert.match(
        status.containerStatuses![0]!.state!.waiting!.message!,
        /^Container image ".*" is not present with pull policy of Never$/,
      )
      await harness.event('p', /^Warning ErrImageNeverPull: Container image/)
    },

    'of a registry with a password comes to those who have it': async (harness) => {
      trust(harness)
      const image = await pushed(guarded, 'private')
      const { password } = registryUser
      await pullSecret(harness, 'right', password)
      await pullSecret(harness, 'wrong', 'guessed')
      const run = (name: string, secrets: readonly string[]) =>
        harness.run(name, {
          imagePullSecrets: secrets.map((each) => ({ name: each })),
          containers: [script('c', idle, { image })],
        })
      await run('wrong', ['wrong'])
      await run('none', [])
      await harness.pod('wrong', waits('ErrImagePull'))
      await harness.pod('none', waits('ErrImagePull'))
      await run('right', ['wrong', 'right'])
      await harness.ready('right')
      for (const name of ['wrong', 'none']) {
        const told = await harness.event(name, /^Warning Failed: Failed to pull image/)
        assert.match(told, /401 Unauthorized|authorization failed|insufficient_scope/)
        const { status } = await harness.pods.get(name)
        assert.ok(!JSON.stringify([status, await harness.events(name)]).includes('guessed'))
      }
      assert.ok(!JSON.stringify(await harness.events('right')).includes(password))
    },

    'that is not there is looked for after longer and longer pauses': async (harness) => {
      trust(harness)
      const image = `${open.host}/missing:1`
      await harness.run('p', { containers: [script('c', idle, { image }), script('d', idle, { image: 'UPPER' })] })
      const isInvalid = (pod: Pod) => containerStateOf(pod, 'd')?.waiting?.reason === 'InvalidImageName'
      await harness.pod(
        'p',
        (pod) => containerStateOf(pod, 'c')?.waiting?.reason === 'ImagePullBackOff' && isInvalid(pod),
      )
      const { status } = await harness.pods.get('p')
      const waiting = status.containerStatuses!.find(({ name }) => name === 'c')!.state!.waiting!
      assert.match(waiting.message!, /^Back-off pulling image ".*\/missing:1"/)
      await harness.event('p', /^Warning Failed: Error: ErrImagePull$/)
      await harness.event('p', /^Normal BackOff: Back-off pulling image/)
      await harness.event('p', /^Warning Failed: Error: ImagePullBackOff$/)
    },
  },
  { images: [], settings: { pulls: { atOnce: 4 } } },
)

/** What nobody uses goes when the disk fills up: here one that is said to be full at once. */
await nodeSuite(
  'images that nobody uses',
  {
    'are collected; those in use, and that of the sandboxes, stay': async (harness) => {
      trust(harness)
      const [used, unused] = [await pushed(open, 'used'), await pushed(open, 'unused')]
      const { runtime } = harness
      await harness.run('p', { containers: [script('c', idle, { image: used })] })
      await harness.ready('p')
      await runtime.pullImage({ image: { image: unused } })
      const names = async () => (await runtime.listImages({})).images.flatMap(({ repoTags }) => repoTags)
      assert.ok((await names()).includes(unused))
      await harness.node.restart() // a kubelet looks when it begins
      await until(async () => !(await names()).includes(unused))
      const left = await names()
      assert.ok(left.includes(used) && left.includes(pauseImageName), left.join())
    },
  },
  { images: [], settings: { images: { high: 1, low: 0, minAge: 0 } } },
)
