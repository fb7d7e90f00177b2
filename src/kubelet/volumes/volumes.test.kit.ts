import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Secret } from '../../api/core/v1/secret.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { inProcessClient } from '../../testing/servers/clients.js'
import type { ConfigMapsAndSecrets } from '../objects/config-maps-and-secrets.js'
import { configMapsAndSecrets } from '../objects/watched-objects.js'
import { type Mounts, mountsFor } from './mounts.js'
import { type PodVolumes, podVolumes } from './pod-volumes.js'

const nodeName = 'here'
export const namespace = 'default'

/** The volumes of a kubelet in a folder of their own, over a real API server, with the permissions of a node and without containers. */
export class VolumesHarness {
  readonly server: TestApiServer
  readonly admin: Client
  readonly client: Client
  readonly root = mkdtempSync(join(tmpdir(), 'proa-volumes-'))
  /** Messages of recorded events. */
  readonly told: string[] = []
  objects!: ConfigMapsAndSecrets
  volumes!: PodVolumes
  readonly #mounts: Mounts

  static async start(environment?: Environment, mounts = mountsFor()): Promise<VolumesHarness> {
    const server = await startTestApiServer(environment ? { environment } : {})
    const node = new VolumesHarness(server, mounts)
    await node.admin.resource(Node).create({ metadata: { name: nodeName } })
    await node.admin.resource(ServiceAccount).create({ metadata: { name: 'default', namespace } })
    await node.configMap('kube-root-ca.crt', { 'ca.crt': 'authority' })
    return node
  }

  private constructor(server: TestApiServer, mounts: Mounts) {
    this.server = server
    this.#mounts = mounts
    this.admin = inProcessClient(server)
    const user = {
      name: `system:node:${nodeName}`,
      uid: '',
      groups: ['system:nodes', 'system:authenticated'],
      extra: {},
    }
    this.client = inProcessClient(server, { user })
    this.startVolumes()
  }

  startVolumes(): void {
    const { client, root } = this
    const { environment } = this.server
    this.objects = configMapsAndSecrets({ client, environment })
    this.volumes = podVolumes({
      environment,
      client,
      objects: this.objects,
      events: { record: ({ message }) => this.told.push(message) },
      identity: { rootFolder: root },
      allocatable: () => ({ cpu: '8', memory: '8Gi' }),
      mounts: this.#mounts,
    })
  }

  /** Simulates a kill: only what is on disk stays. */
  async restartVolumes(): Promise<void> {
    await this.stopVolumes()
    this.startVolumes()
  }

  async stopVolumes(): Promise<void> {
    await this.volumes.close()
    await this.objects.close()
  }

  configMap(name: string, data: Record<string, string>, more: object = {}): Promise<ConfigMap> {
    return this.admin.resource(ConfigMap).create({ metadata: { name, namespace }, data, ...more })
  }

  secret(name: string, stringData: Record<string, string>): Promise<Secret> {
    return this.admin.resource(Secret).create({ metadata: { name, namespace }, stringData })
  }

  /** Creates a pod whose only container mounts all its volumes. */
  pod(name: string, volumes: readonly object[], spec: object = {}, metadata: object = {}): Promise<Pod> {
    const volumeMounts = volumes.map((volume) => (volume as { name: string }).name)
    const mounts = volumeMounts.map((volume) => ({ name: volume, mountPath: `/${volume}` }))
    const container = { name: 'c', image: 'i', volumeMounts: mounts }
    const given = { containers: [container], volumes, nodeName, automountServiceAccountToken: false, ...spec }
    return this.admin
      .resource(Pod)
      .create({ metadata: { name, namespace, ...metadata }, spec: given as unknown as Pod['spec'] })
  }

  folder(pod: Pod): string {
    return join(this.root, 'pods', pod.metadata.uid!)
  }

  async close(): Promise<void> {
    for (const uid of await this.volumes.known()) await this.volumes.remove(uid)
    await this.stopVolumes()
    this.#mounts.close()
    await this.server.close()
    rmSync(this.root, { recursive: true })
  }
}

/** Polls in real time. */
export async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !condition(); ) {
    if (Date.now() > end) throw new Error('it does not come true')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
