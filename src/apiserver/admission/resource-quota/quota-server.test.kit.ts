import { Namespace } from '../../../api/core/v1/namespace.js'
import { Pod } from '../../../api/core/v1/pod.js'
import { ResourceQuota } from '../../../api/core/v1/resource-quota.js'
import { ServiceAccount } from '../../../api/core/v1/service-account.js'
import { hasReason } from '../../../api/errors.js'
import type { Client } from '../../../client/client.js'

type Hard = Readonly<Record<string, string>>

/** A namespace with a quota, and those who make pods in it. */
export class QuotaTrial {
  readonly client: Client
  readonly namespace: string

  constructor(client: Client, namespace: string) {
    this.client = client
    this.namespace = namespace
  }

  /** Makes the namespace, and what the controllers would make in it. */
  async prepare(
    hard: Hard,
    { labels = {}, ...spec }: { readonly labels?: Hard; readonly scopes?: readonly never[] } = {},
  ) {
    await this.client.resource(Namespace).create({ metadata: { name: this.namespace, labels } })
    await this.client
      .resource(ServiceAccount)
      .in(this.namespace)
      .create({ metadata: { name: 'default' } })
    await this.quotas.create({ metadata: { name: 'q' }, spec: { hard, ...spec } })
    const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']))
    await this.quotas.subresource('status').patch('q', 'merge', { status: { hard, used } })
  }

  get quotas() {
    return this.client.resource(ResourceQuota).in(this.namespace)
  }

  get pods() {
    return this.client.resource(Pod).in(this.namespace)
  }

  /** Whether there was room for it. */
  async create(name: string, spec: object = {}): Promise<boolean> {
    try {
      await this.pods.create({ metadata: { name }, spec: { containers: [{ name: 'main', image: 'app:1' }], ...spec } })
      return true
    } catch (error) {
      if (hasReason(error, 'Forbidden')) return false
      throw error
    }
  }

  async used(resource = 'pods'): Promise<number> {
    return Number((await this.quotas.get('q')).status.used?.[resource])
  }

  async podCount(): Promise<number> {
    return (await this.pods.list()).items.length
  }

  async delete(name: string): Promise<void> {
    await this.pods.delete(name, { gracePeriodSeconds: 0 })
  }

  /** Counts what is there, as the quota controller does, and starts again where somebody was faster. */
  async recount(): Promise<void> {
    for (;;) {
      const quota = await this.quotas.get('q')
      const pods = String(await this.podCount())
      try {
        const status = { ...quota.status, used: { ...quota.status.used, pods } }
        await this.quotas.subresource('status').update({ ...quota, status })
        return
      } catch (error) {
        if (!hasReason(error, 'Conflict')) throw error
      }
    }
  }
}
