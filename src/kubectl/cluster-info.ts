import type { Service } from '../api/core/v1/service.js'
import type { JsonObject } from '../schema/declaration.js'
import { type CommandContext, command } from './command.js'
import { itemsOf, resourcePath } from './resources/resource-object.js'

const flags = {} as const

type InfoContext = CommandContext<typeof flags>

export const clusterInfo = command({
  usage: '[flags] [options]',
  about: 'Print the URLs of the control plane and of the cluster services.',
  examples: ['kubectl cluster-info'],
  flags,
  run: runClusterInfo,
  subcommands: {
    dump: {
      about: 'Dump relevant information for debugging and diagnosis',
      load: async () => (await import('./cluster-info-dump.js')).dump,
    },
  },
})

const hint = "\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n"
const ofCluster = 'kubernetes.io/cluster-service=true'

async function runClusterInfo({ factory, out }: InfoContext): Promise<void> {
  const rest = await factory.rest()
  const { isGiven, name } = await factory.namespace()
  const path = resourcePath({ root: '/api/v1', plural: 'services', namespaced: true }, isGiven ? name : 'kube-system')
  try {
    const list = await rest.json<JsonObject>({ path, query: { labelSelector: ofCluster } })
    await out(runningAt('Kubernetes control plane', rest.server))
    for (const item of itemsOf(list)) {
      const service = item as unknown as Service
      const { labels = {}, name: own = '' } = service.metadata
      await out(runningAt(labels['kubernetes.io/name'] || own, linkOf(service, rest.server)))
    }
  } finally {
    await out(hint)
  }
}

function runningAt(name: string, address: string): string {
  return `${name} is running at ${address}\n`
}

/** The address of a service: its load balancer if it has one, otherwise the proxy of the API server. */
function linkOf({ metadata, spec, status }: Service, server: string): string {
  const { ports = [] } = spec
  const [ingress] = status.loadBalancer?.ingress ?? []
  if (ingress) return ports.map(({ port }) => `http://${ingress.ip || ingress.hostname}:${port} `).join('')
  const { name = '', namespace = '' } = metadata
  const [first] = ports
  return `${server}/api/v1/namespaces/${namespace}/services/${first ? portName(name, first) : name}/proxy`
}

/** `https:dashboard:web`, without the parts that the service does not have. */
function portName(service: string, { name = '', port }: { readonly name?: string; readonly port: number }): string {
  const scheme = name === 'https' || port === 443 ? 'https' : ''
  if (scheme !== '') return `${scheme}:${service}:${name}`
  return name === '' ? service : `${service}:${name}`
}
