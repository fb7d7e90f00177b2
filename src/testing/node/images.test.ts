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

async function pullSecret(trial: TestNodeHarness, name: string, password: string): Promise<void> {
  const auths = { [guarded.host]: { username: registryUser.username, password } }
  await trial.client
    .resource(Secret)
    .in(trial.namespace)
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
    'comes from a registry, once': async (trial) => {
      trust(trial)
      const image = await pushed(open, 'web')
      await trial.run('p', { containers: [script('c', idle, { image })] })
      const pod = await trial.ready('p')
      await trial.event(
        'p',
        /^Normal Pulled: Successfully pulled image ".*\/web:1" in \S+ \(\S+ including waiting\)\. Image size: \d+ bytes\.$/,
      )
      assert.match(pod.status.containerStatuses![0]!.imageID, /\/web@sha256:[0-9a-f]{64}$/)
      await trial.run('q', { containers: [script('c', idle, { image, imagePullPolicy: 'IfNotPresent' })] })
      await trial.ready('q')
      await trial.event(
        'q',
        /^Normal Pulled: Container image ".*" already present on machine and can be accessed by the pod$/,
      )
      await trial.run('r', { containers: [script('c', idle, { image, imagePullPolicy: 'Always' })] })
      await trial.ready('r')
      await trial.event('r', /^Normal Pulling: Pulling image/)
    },

    'is not pulled where nobody wants that': async (trial) => {
      trust(trial)
      await trial.run('p', {
        containers: [script('c', idle, { image: `${open.host}/nowhere:1`, imagePullPolicy: 'Never' })],
      })
      const { status } = await trial.pod('p', waits('ErrImageNeverPull'))
      assert.match(
        status.containerStatuses![0]!.state!.waiting!.message!,
        /^Container image ".*" is not present with pull policy of Never$/,
      )
      await trial.event('p', /^Warning ErrImageNeverPull: Container image/)
    },

    'of a registry with a password comes to those who have it': async (trial) => {
      trust(trial)
      const image = await pushed(guarded, 'private')
      const { password } = registryUser
      await pullSecret(trial, 'right', password)
      await pullSecret(trial, 'wrong', 'guessed')
      const run = (name: string, secrets: readonly string[]) =>
        trial.run(name, {
          imagePullSecrets: secrets.map((each) => ({ name: each })),
          containers: [script('c', idle, { image })],
        })
      await run('wrong', ['wrong'])
      await run('none', [])
      await trial.pod('wrong', waits('ErrImagePull'))
      await trial.pod('none', waits('ErrImagePull'))
      await run('right', ['wrong', 'right'])
      await trial.ready('right')
      for (const name of ['wrong', 'none']) {
        const told = await trial.event(name, /^Warning Failed: Failed to pull image/)
        assert.match(told, /401 Unauthorized|authorization failed|insufficient_scope/)
        const { status } = await trial.pods.get(name)
        assert.ok(!JSON.stringify([status, await trial.events(name)]).includes('guessed'))
      }
      assert.ok(!JSON.stringify(await trial.events('right')).includes(password))
    },

    'that is not there is looked for after longer and longer pauses': async (trial) => {
      trust(trial)
      const image = `${open.host}/missing:1`
      await trial.run('p', { containers: [script('c', idle, { image }), script('d', idle, { image: 'UPPER' })] })
      const isInvalid = (pod: Pod) => containerStateOf(pod, 'd')?.waiting?.reason === 'InvalidImageName'
      await trial.pod(
        'p',
        (pod) => containerStateOf(pod, 'c')?.waiting?.reason === 'ImagePullBackOff' && isInvalid(pod),
      )
      const { status } = await trial.pods.get('p')
      const waiting = status.containerStatuses!.find(({ name }) => name === 'c')!.state!.waiting!
      assert.match(waiting.message!, /^Back-off pulling image ".*\/missing:1"/)
      await trial.event('p', /^Warning Failed: Error: ErrImagePull$/)
      await trial.event('p', /^Normal BackOff: Back-off pulling image/)
      await trial.event('p', /^Warning Failed: Error: ImagePullBackOff$/)
    },
  },
  { images: [], settings: { pulls: { atOnce: 4 } } },
)

/** What nobody uses goes when the disk fills up: here one that is said to be full at once. */
await nodeSuite(
  'images that nobody uses',
  {
    'are collected; those in use, and that of the sandboxes, stay': async (trial) => {
      trust(trial)
      const [used, unused] = [await pushed(open, 'used'), await pushed(open, 'unused')]
      const { runtime } = trial
      await trial.run('p', { containers: [script('c', idle, { image: used })] })
      await trial.ready('p')
      await runtime.pullImage({ image: { image: unused } })
      const names = async () => (await runtime.listImages({})).images.flatMap(({ repoTags }) => repoTags)
      assert.ok((await names()).includes(unused))
      await trial.node.restart() // a kubelet looks when it begins
      await until(async () => !(await names()).includes(unused))
      const left = await names()
      assert.ok(left.includes(used) && left.includes(pauseImageName), left.join())
    },
  },
  { images: [], settings: { images: { high: 1, low: 0, minAge: 0 } } },
)
