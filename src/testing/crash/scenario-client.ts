/** The objects that users create, change and delete in a scenario. */
import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { Deployment, type DeploymentSpec } from '../../api/apps/v1/deployment.js'
import { Job, type JobSpec } from '../../api/batch/v1/job.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import { Service } from '../../api/core/v1/service.js'
import { PodDisruptionBudget } from '../../api/policy/v1/pod-disruption-budget.js'
import type { Client } from '../../client/client.js'

/** `shop/web` */
export type NamespacedName = `${string}/${string}`

/** The actions of users, one method each. */
export class ScenarioClient {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async namespaces(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.#client.resource(Namespace).create({ metadata: { name } })
  }

  async deleteNamespace(name: string): Promise<void> {
    await this.#client.resource(Namespace).delete(name)
  }

  async deployment(name: NamespacedName, replicas: number, spec: Partial<DeploymentSpec> = {}): Promise<void> {
    const { metadata, labels } = named(name)
    const template = { metadata: { labels }, spec: podSpec('v1') }
    const whole = { selector: { matchLabels: labels }, template, replicas, ...spec }
    await this.#client.resource(Deployment).create({ metadata, spec: whole })
  }

  async patchDeployment(name: NamespacedName, spec: object): Promise<void> {
    const { namespace, name: own } = named(name).metadata
    await this.#client.resource(Deployment).in(namespace).patch(own, 'strategic', { spec })
  }

  async deleteDeployment(
    name: NamespacedName,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
  ): Promise<void> {
    const { namespace, name: own } = named(name).metadata
    await this.#client.resource(Deployment).in(namespace).delete(own, { propagationPolicy })
  }

  async replicationController(name: NamespacedName, replicas: number): Promise<void> {
    const { metadata, labels } = named(name)
    const template = { metadata: { labels }, spec: podSpec('v1') }
    await this.#client
      .resource(ReplicationController)
      .create({ metadata, spec: { selector: labels, template, replicas } })
  }

  async daemonSet(name: NamespacedName): Promise<void> {
    const { metadata, labels } = named(name)
    const template = { metadata: { labels }, spec: podSpec('v1') }
    await this.#client.resource(DaemonSet).create({ metadata, spec: { selector: { matchLabels: labels }, template } })
  }

  async patchDaemonSet(name: NamespacedName, spec: object): Promise<void> {
    const { namespace, name: own } = named(name).metadata
    await this.#client.resource(DaemonSet).in(namespace).patch(own, 'strategic', { spec })
  }

  /** The image decides how the pods end: see `scenario-nodes.ts`. */
  async job(name: NamespacedName, image: string, spec: Partial<JobSpec> = {}): Promise<void> {
    const { metadata } = named(name)
    const template = { spec: { ...podSpec(image), restartPolicy: 'Never' as const } }
    await this.#client.resource(Job).create({ metadata, spec: { template, ...spec } })
  }

  async patchJob(name: NamespacedName, spec: object): Promise<void> {
    const { namespace, name: own } = named(name).metadata
    await this.#client.resource(Job).in(namespace).patch(own, 'strategic', { spec })
  }

  async deleteJob(name: NamespacedName): Promise<void> {
    const { namespace, name: own } = named(name).metadata
    await this.#client.resource(Job).in(namespace).delete(own, { propagationPolicy: 'Background' })
  }

  async service(name: NamespacedName): Promise<void> {
    const { metadata, labels } = named(name)
    await this.#client.resource(Service).create({ metadata, spec: { selector: labels, ports: [{ port: 80 }] } })
  }

  async quota(name: NamespacedName, pods: number): Promise<void> {
    await this.#client.resource(ResourceQuota).create({ ...named(name), spec: { hard: { pods: `${pods}` } } })
  }

  async budget(name: NamespacedName, minAvailable: number): Promise<void> {
    const { metadata, labels } = named(name)
    const spec = { selector: { matchLabels: labels }, minAvailable }
    await this.#client.resource(PodDisruptionBudget).create({ metadata, spec })
  }
}

export function templateWithImage(image: string): object {
  return { template: { spec: podSpec(image) } }
}

function podSpec(image: string) {
  return { containers: [{ name: 'main', image }] }
}

function named(whole: NamespacedName) {
  const [namespace, name] = whole.split('/') as [string, string]
  return { metadata: { namespace, name }, labels: { app: name } }
}
