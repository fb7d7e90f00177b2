import { Deployment } from 'proa/api/apps/v1/deployment'
import { ConfigMap } from 'proa/api/core/v1/config-map'
import { Service } from 'proa/api/core/v1/service'
import { hasReason } from 'proa/client'
import { controller, controllerReference, isControlledBy, type ReconcileContext } from 'proa/controllers'

const label = 'example.com/website'
const status = 'example.com/website-status'
const mine = { fieldManager: 'website-operator', force: true }

/** Takes each config map with the label for a website: keeps a deployment and a service for it, and its status in an annotation. */
export const websites = controller('website-operator')
  .for(ConfigMap)
  .owns(Deployment)
  .owns(Service)
  .reconcile(async (key, context) => {
    const site = context.informers.of(ConfigMap).get(key)
    if (!site || site.metadata.deletionTimestamp) return // the garbage collector deletes what it owns
    const isWebsite = site.metadata.labels?.[label] !== undefined
    const now = isWebsite ? await publish(key, site, context) : await withdraw(key, site, context)
    const { name = '', namespace = '', annotations } = site.metadata
    if (annotations?.[status] === now) return
    const patch = { metadata: { annotations: { [status]: now ?? null } } }
    await context.client.resource(ConfigMap).in(namespace).patch(name, 'merge', patch)
  })

/** Server-side apply creates what is missing, repairs what was changed, and otherwise does nothing. Returns the status of the website. */
async function publish(key: string, site: ConfigMap, { client, informers }: ReconcileContext): Promise<string> {
  const made = [Deployment, Service].flatMap((kind) => informers.of(kind).get(key) ?? [])
  const other = made.find((each) => !isControlledBy(each, site))
  if (other) return `there is another ${other.kind} of that name`
  const { name = '', namespace = '' } = site.metadata
  const { image = 'nginx', replicas = '1', port = '80' } = site.data ?? {}
  const labels = { [label]: name }
  const metadata = { name, namespace, labels, ownerReferences: [controllerReference(site)] }
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'web', image, ports: [{ containerPort: Number(port) }] }] },
  }
  const spec = { replicas: Number(replicas), selector: { matchLabels: labels }, template }
  const ports = [{ port: 80, targetPort: Number(port) }]
  try {
    await client.resource(Service).apply({ metadata, spec: { selector: labels, ports } }, mine)
    const { status } = await client.resource(Deployment).apply({ metadata, spec }, mine)
    return `${status?.readyReplicas ?? 0} of ${replicas} ready`
  } catch (error) {
    if (hasReason(error, 'Invalid')) return error.message
    throw error // the key is requeued
  }
}

async function withdraw(key: string, site: ConfigMap, { client, informers }: ReconcileContext): Promise<undefined> {
  for (const kind of [Deployment, Service]) {
    const made = informers.of(kind).get(key)
    if (made && isControlledBy(made, site))
      await client.resource(kind).in(site.metadata.namespace!).delete(made.metadata.name!)
  }
}
