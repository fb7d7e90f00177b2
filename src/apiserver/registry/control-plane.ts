import { systemClock } from '../../base/clock.js'
import { sendHttp } from '../../wire/http/http-client.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { Component, ComponentHealth } from './component-statuses.js'

/** A component that runs in the API server's process. */
export interface InProcessComponent {
  /** Why it does not work; undefined while it works. */
  problem(): string | undefined
}

/** Each is undefined until it is started: the API server starts first. */
export type InProcessComponents = Readonly<
  Partial<Record<keyof typeof healthUrls, () => InProcessComponent | undefined>>
>

/** Where components of other processes serve their health, as upstream assumes it. */
const healthUrls = {
  'controller-manager': 'https://127.0.0.1:10257/healthz',
  scheduler: 'https://127.0.0.1:10259/healthz',
} as const

/** The components of the control plane. Those in this process are called, the others are probed on this host. */
export function controlPlane(store: ObjectStore, inProcess: InProcessComponents = {}): readonly Component[] {
  const names = Object.keys(healthUrls) as (keyof typeof healthUrls)[]
  const components = names.map((name) => {
    const own = inProcess[name]
    return { name, check: own ? async () => healthOf(own()) : () => probe(healthUrls[name]) }
  })
  return [...components, { name: 'etcd-0', check: () => storeHealth(store) }]
}

function healthOf(component: InProcessComponent | undefined): ComponentHealth {
  const problem = component ? component.problem() : 'not started'
  return problem === undefined ? { isHealthy: true, message: 'ok' } : { isHealthy: false, message: problem }
}

async function storeHealth(store: ObjectStore): Promise<ComponentHealth> {
  try {
    await store.waitUntilCurrent()
    return { isHealthy: true, message: 'ok' }
  } catch (error) {
    return { isHealthy: false, error: error instanceof Error ? error.message : String(error) }
  }
}

const probeTimeout = 2000

/**
 * Probes the health endpoint of a component, and formats the result like upstream's `get componentstatuses`. The certificates of components
 * are self-signed, and the request contains no secret, so certificates are not verified.
 */
export async function probe(url: string): Promise<ComponentHealth> {
  const error = () => new Error('i/o timeout')
  try {
    const response = await sendHttp({
      url,
      tls: { insecure: true },
      idleTimeout: { clock: systemClock, milliseconds: probeTimeout, error },
    })
    const message = (await response.prefix(longestMessage)).toString()
    const { status } = response
    if (status >= 200 && status < 300) return { isHealthy: true, message }
    return { isHealthy: false, message: `HTTP probe failed with statuscode: ${status}` }
  } catch (error) {
    return { isHealthy: false, message: `Get "${url}": ${reasonOf(error as Error, url)}` }
  }
}

/** Characters of a response that are shown, as upstream limits it. */
const longestMessage = 10_240

function reasonOf({ code, message }: Error & { readonly code?: string }, url: string): string {
  return code === 'ECONNREFUSED' ? `dial tcp ${new URL(url).host}: connect: connection refused` : message
}
