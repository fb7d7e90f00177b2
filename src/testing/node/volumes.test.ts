import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Secret } from '../../api/core/v1/secret.js'
import type { Volume } from '../../api/core/v1/volume.js'
import { type Clock, systemClock } from '../../base/clock.js'
import { environment } from '../../base/environment.js'
import { containerStateOf, idle, script, type TestNodeHarness, until } from './node-harness.js'
import { nodeSuite } from './node-suite.js'

/** The machine's clock, which can be put forward. */
const ahead = { by: 0 }
const clock: Clock = {
  now: () => systemClock.now() + ahead.by,
  monotonic: () => systemClock.monotonic(),
  timer: (delay, action) => systemClock.timer(delay, action),
}

const mounts = (...volumes: readonly Volume[]) => volumes.map(({ name }) => ({ name, mountPath: `/${name}` }))

/** Waits until a file in a container says so. */
async function says(harness: TestNodeHarness, pod: string, file: string, content: string): Promise<void> {
  await until(async () => (await harness.exec(pod, 'c', `cat ${file} 2> /dev/null || true`)) === content)
}

function objects(harness: TestNodeHarness) {
  const { client, namespace } = harness
  return { maps: client.resource(ConfigMap).in(namespace), secrets: client.resource(Secret).in(namespace) }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The volume manager. */
await nodeSuite(
  'a volume',
  {
    'of the pod itself is shared by its containers, and goes with it': async (harness) => {
      const volumes: Volume[] = [
        { name: 'disk', emptyDir: {} },
        { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
      ]
      const volumeMounts = mounts(...volumes)
      const fill = 'head -c 2000000 /dev/zero > /memory/full 2> /dev/null || echo no space left'
      const containers = [
        script('writer', `echo hello > /disk/file; ${fill}; ${idle}`, { volumeMounts }),
        script('reader', `until cat /disk/file 2> /dev/null; do sleep 0.1; done; ${idle}`, { volumeMounts }),
      ]
      await harness.run('p', { volumes, containers })
      const { metadata } = await harness.ready('p')
      assert.deepEqual(await harness.lines('p', 1, 'reader'), ['hello'])
      assert.deepEqual(await harness.lines('p', 1, 'writer'), ['no space left'])
      assert.match(await harness.exec('p', 'reader', 'grep " /memory " /proc/mounts'), /^tmpfs .*size=1024k/)
      const folder = join(harness.node.identity.rootFolder, 'pods', metadata.uid!)
      assert.equal(readFileSync(join(folder, 'volumes/kubernetes.io~empty-dir/disk/file'), 'utf8'), 'hello\n')
      await harness.pods.delete('p')
      await harness.gone('p')
      await until(async () => !existsSync(folder))
    },

    'of the node is what is there, and stays': async (harness) => {
      const folder = join(harness.node.harness.folder, 'of-the-node')
      mkdirSync(folder)
      writeFileSync(join(folder, 'file'), 'there\n')
      const volumes: Volume[] = [
        { name: 'there', hostPath: { path: folder, type: 'Directory' } },
        { name: 'made', hostPath: { path: join(folder, 'made'), type: 'DirectoryOrCreate' } },
        { name: 'socket', hostPath: { path: join(folder, 'file'), type: 'Socket' } },
      ]
      const [there, made, socket] = volumes as [Volume, Volume, Volume]
      const containers = [script('c', 'cat /there/file; echo new > /made/file', { volumeMounts: mounts(there, made) })]
      await harness.run('p', { restartPolicy: 'Never', volumes: [there, made], containers })
      await harness.run('q', { volumes: [socket], containers: [script('c', idle, { volumeMounts: mounts(socket) })] })
      assert.equal((await harness.over('p')).status.phase, 'Succeeded')
      assert.deepEqual(await harness.lines('p', 1), ['there'])
      assert.equal(readFileSync(join(folder, 'made/file'), 'utf8'), 'new\n')
      await harness.event(
        'q',
        /^Warning FailedMount: MountVolume\.SetUp failed for volume "socket" : hostPath type check failed: .* is not a socket file$/,
      )
    },

    'of an object follows what the object says': async (harness) => {
      const { maps, secrets } = objects(harness)
      await maps.create({ metadata: { name: 'm' }, data: { key: 'one' } })
      await secrets.create({ metadata: { name: 's' }, data: { key: base64('first') } })
      const labels = [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }]
      const volumes: Volume[] = [
        { name: 'map', configMap: { name: 'm' } },
        { name: 'secret', secret: { secretName: 's', defaultMode: 0o400 } },
        { name: 'downward', downwardAPI: { items: labels } },
        {
          name: 'projected',
          projected: {
            sources: [
              { configMap: { name: 'm', items: [{ key: 'key', path: 'deep/map' }] } },
              { secret: { name: 's' } },
              { downwardAPI: { items: labels } },
              { configMap: { name: 'missing', optional: true } },
            ],
          },
        },
      ]
      await harness.run(
        'p',
        { volumes, containers: [script('c', idle, { volumeMounts: mounts(...volumes) })] },
        { labels: { app: 'web' } },
      )
      await harness.ready('p')
      const all = 'cat /map/key /secret/key /downward/labels /projected/deep/map /projected/key /projected/labels'
      assert.equal(await harness.exec('p', 'c', all), 'onefirstapp="web"onefirstapp="web"')
      assert.equal(await harness.exec('p', 'c', 'stat -L -c %a /secret/key'), '400\n')
      assert.match(await harness.exec('p', 'c', 'grep " /secret " /proc/mounts'), /^tmpfs .*\bro\b/)

      await maps.patch('m', 'merge', { data: { key: 'two' } })
      await secrets.patch('s', 'merge', { data: { key: base64('second') } })
      await harness.pods.patch('p', 'merge', { metadata: { labels: { app: 'shop' } } })
      await says(harness, 'p', '/map/key', 'two')
      await says(harness, 'p', '/secret/key', 'second')
      await says(harness, 'p', '/downward/labels', 'app="shop"')
      await until(async () => (await harness.exec('p', 'c', all)) === 'twosecondapp="shop"twosecondapp="shop"')
    },

    'of an object that is not there holds the pod back until it is': async (harness) => {
      const volumes: Volume[] = [{ name: 'map', configMap: { name: 'late' } }]
      await harness.run('p', { volumes, containers: [script('c', idle, { volumeMounts: mounts(...volumes) })] })
      await harness.event(
        'p',
        /^Warning FailedMount: MountVolume\.SetUp failed for volume "map" : configmap "late" not found$/,
      )
      await harness.pod('p', (pod) => containerStateOf(pod)?.waiting?.reason === 'ContainerCreating')
      await objects(harness).maps.create({ metadata: { name: 'late' }, data: { key: 'value' } })
      await harness.ready('p')
      assert.equal(await harness.exec('p', 'c', 'cat /map/key'), 'value')
    },

    'with a token has a new one before the old one ends': async (harness) => {
      const serviceAccountToken = { path: 'token', expirationSeconds: 600, audience: 'somebody' }
      const volumes: Volume[] = [{ name: 'token', projected: { sources: [{ serviceAccountToken }] } }]
      await harness.run('p', { volumes, containers: [script('c', idle, { volumeMounts: mounts(...volumes) })] })
      const { metadata } = await harness.ready('p')
      const token = () => harness.exec('p', 'c', 'cat /token/token')
      const first = await token()
      const claims = JSON.parse(Buffer.from(first.split('.')[1]!, 'base64url').toString())
      assert.deepEqual(
        [claims.aud, claims.exp - claims.iat, claims['kubernetes.io'].pod.name],
        [['somebody'], 600, 'p'],
      )
      ahead.by = 500_000
      harness.node.running.kubelet.resync(metadata.uid!)
      await until(async () => (await token()) !== first)
      ahead.by = 0
    },

    'can be mounted in part': async (harness) => {
      const { maps } = objects(harness)
      await maps.create({ metadata: { name: 'm' }, data: { one: '1', two: '2' } })
      const volumes: Volume[] = [
        { name: 'map', configMap: { name: 'm' } },
        { name: 'space', emptyDir: {} },
      ]
      const env = [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }]
      const volumeMounts = [
        { name: 'map', mountPath: '/etc/one', subPath: 'one' },
        { name: 'space', mountPath: '/part', subPath: 'a/b' },
        { name: 'space', mountPath: '/own', subPathExpr: 'of-$(NAME)' },
        { name: 'space', mountPath: '/whole', readOnly: true },
      ]
      const text =
        'cat /etc/one; echo; echo x > /part/file; echo y > /own/file; cat /whole/a/b/file /whole/of-p/file; touch /whole/no 2> /dev/null || echo refused'
      await harness.run('p', {
        restartPolicy: 'Never',
        volumes,
        containers: [script('c', text, { env, volumeMounts })],
      })
      await harness
        .run('q', {
          volumes,
          containers: [
            script('c', idle, { volumeMounts: [{ name: 'space', mountPath: '/x', subPathExpr: '../$(HOSTNAME)' }] }),
          ],
        })
        .catch((error: Error) => assert.match(error.message, /must not contain '\.\.'/))
      assert.deepEqual(await harness.lines('p', 4), ['1', 'x', 'y', 'refused'])
    },

    'belongs to the group of the pod': async (harness) => {
      await objects(harness).secrets.create({ metadata: { name: 's' }, data: { key: base64('mine') } })
      const volumes: Volume[] = [
        { name: 'space', emptyDir: {} },
        { name: 'secret', secret: { secretName: 's', defaultMode: 0o400 } },
      ]
      const securityContext = { runAsUser: 1001, fsGroup: 5000 }
      const text =
        'touch /space/file; stat -c "%g %A" /space; stat -c %g /space/file; stat -L -c "%g %a" /secret/key; cat /secret/key; echo'
      const containers = [script('c', text, { volumeMounts: mounts(...volumes) })]
      await harness.run('p', { restartPolicy: 'Never', securityContext, volumes, containers })
      assert.deepEqual(await harness.lines('p', 4), ['5000 drwxrwsrwx', '5000', '5000 440', 'mine'])
    },
  },
  { environment: environment({ clock }) },
)
