import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Namespace } from '../../api/core/v1/namespace.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Secret } from '../../api/core/v1/secret.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import { Informers } from '../../client/informers/informers.js'
import { pauseImageName } from '../../cri/images/pause-image.js'
import { containersMissing } from '../../testing/containers/container-packages.js'
import { containerdUnderTest } from '../../testing/containers/containerd-runtime.js'
import type { RuntimeUnderTest } from '../../testing/cri/contract/runtime-under-test.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { inProcessClient } from '../../testing/servers/clients.js'
import { linuxHost } from '../node/linux-host.js'
import { type NodeAgent, nodeAgent } from '../node/node-agent.js'
import type { NodeIdentity } from '../node/node-identity.js'
import { ImageGarbageCollector } from './image-garbage-collector.js'
import type { ImageRequest } from './images.js'
import { failureOf } from './images.test.kit.js'
import { type PodImages, podImages } from './pod-images.js'

const missing = await containersMissing()

describe('a node with a real containerd', { skip: missing ?? false }, () => {
  let harness: RuntimeUnderTest
  let server: TestApiServer
  let admin: Client
  let agent: NodeAgent
  let informers: Informers
  let images: PodImages
  const folder = mkdtempSync(join(tmpdir(), 'proa-node-'))
  const real = environment()
  const told: string[] = []
  const events = {
    record: ({ type, reason, message }: { type: string; reason: string; message: string }) =>
      void told.push(`${type} ${reason}: ${message}`),
  }
  const identity: NodeIdentity = {
    nodeName: 'machine',
    rootFolder: folder,
    podLogsFolder: folder,
    hostAddresses: ['192.0.2.7'],
    clusterDomain: 'cluster.local',
    clusterDns: [],
  }

  before(async () => {
    harness = await containerdUnderTest()
    server = await startTestApiServer()
    admin = inProcessClient(server)
    await admin.resource(Namespace).create({ metadata: { name: 'team' } })
    await admin
      .resource(ServiceAccount)
      .in('team')
      .create({ metadata: { name: 'default' } })
    const user = { name: 'system:node:machine', uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} }
    const client = inProcessClient(server, { user })
    const { runtime } = harness
    informers = new Informers(client, real)
    const parts = { environment: real, client, runtime, identity, events }
    const evictionHard = {} // independent of the free space of the test host
    agent = await nodeAgent({
      ...parts,
      informers,
      host: linuxHost(),
      port: 10_250,
      version: 'v1.36.4',
      options: { evictionHard },
    })
    images = podImages({ ...parts, pulls: { atOnce: 3 } })
  })

  after(async () => {
    await agent.close()
    await informers.close()
    await server.close()
    await harness.close()
    rmSync(folder, { recursive: true })
  })

  /** Binds the pod to the node: only then the node may read its secrets. */
  async function podWith(name: string, image: string, secrets: readonly string[] = []): Promise<ImageRequest> {
    const container = { name: 'c', image, imagePullPolicy: 'IfNotPresent' as const }
    const pod = await admin
      .resource(Pod)
      .in('team')
      .create({
        metadata: { name },
        spec: {
          nodeName: 'machine',
          containers: [container],
          imagePullSecrets: secrets.map((secret) => ({ name: secret })),
          automountServiceAccountToken: false,
        },
      } as never)
    return { pod, container, sandbox: {}, fieldPath: 'spec.containers{c}' }
  }

  test('is ready at once', async () => {
    await agent.registered
    const { status } = await admin.resource(Node).get('machine')
    const ready = status.conditions?.find(({ type }) => type === 'Ready')
    assert.deepEqual([ready?.status, ready?.reason], ['True', 'KubeletReady'])
    assert.match(status.nodeInfo?.containerRuntimeVersion ?? '', /^containerd:\/\/\d+\.\d+\.\d+/)
    const names = status.images?.flatMap(({ names: all = [] }) => all) ?? []
    assert.ok(names.includes(harness.image) && names.includes(pauseImageName))
    const sizes = status.images?.map(({ sizeBytes = 0 }) => sizeBytes) ?? []
    assert.deepEqual(
      sizes,
      sizes.toSorted((one, other) => other - one),
    )
  })

  test('uses a present image', async () => {
    told.length = 0
    await images.ensure(await podWith('present', harness.image))
    assert.deepEqual(told, [
      `Normal Pulled: Container image "${harness.image}" already present on machine and can be accessed by the pod`,
    ])
  })

  test('pulls from a registry', async () => {
    told.length = 0
    const { ref } = await images.ensure(await podWith('open', harness.registry.open))
    const { image } = await harness.runtime.imageStatus({ image: { image: ref } })
    assert.equal(image?.repoTags[0], harness.registry.open)
    assert.equal(told[0], `Normal Pulling: Pulling image "${harness.registry.open}"`)
    assert.match(
      told[1]!,
      /^Normal Pulled: Successfully pulled image ".*" in \S+ \(\S+ including waiting\)\. Image size: [1-9]\d* bytes\.$/,
    )
  })

  test("reports the registry's error for a missing image", async () => {
    const failure = await failureOf(images.ensure(await podWith('missing', harness.registry.missing)))
    assert.match(failure, /^ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image /)
  })

  test('pulls from a protected registry with the secret of the pod, and only for pods with it', async () => {
    const { guarded, username, password } = harness.registry
    const host = guarded.slice(0, guarded.indexOf('/'))
    const config = JSON.stringify({ auths: { [`http://${host}`]: { username, password } } })
    await admin
      .resource(Secret)
      .in('team')
      .create({
        metadata: { name: 'mine' },
        type: 'kubernetes.io/dockerconfigjson',
        data: { '.dockerconfigjson': Buffer.from(config).toString('base64') },
      })
    assert.match(
      await failureOf(images.ensure(await podWith('stranger', guarded))),
      /^ErrImagePull: .*401 Unauthorized/,
    )
    await images.ensure(await podWith('friend', guarded, ['mine']))
    assert.match(await failureOf(images.ensure(await podWith('intruder', guarded))), /^ErrImagePull/)
    told.length = 0
    await images.ensure(await podWith('colleague', guarded, ['mine']))
    assert.match(told[0]!, /already present on machine/)
    assert.ok(!JSON.stringify(told).includes(password))
  })

  test('removes unused images, but never the sandbox image', async () => {
    const collection = new ImageGarbageCollector({
      environment: real,
      runtime: harness.runtime,
      measure: async () => ({ capacity: 1e9, available: 0 }),
      events,
      about: agent.events.about,
      remaining: (ids) => images.forgetAllBut(ids),
      policy: { minAge: 0 },
    })
    await assert.rejects(collection.collect(), /but only found [1-9]\d* bytes eligible to free/)
    const left = (await harness.runtime.listImages({})).images.flatMap(({ repoTags }) => repoTags)
    assert.deepEqual(left, [pauseImageName])
  })
})
