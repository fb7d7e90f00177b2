import { get, type RequestOptions } from 'node:https'
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

/** The certificates of components are self-signed, and the request carries no secret: there is nothing to verify them for. */
const probeOptions: RequestOptions = { rejectUnauthorized: false, timeout: 2000 }

/** Reports the result of a probe as upstream's `get componentstatuses` does. */
export function probe(url: string): Promise<ComponentHealth> {
  return new Promise((resolve) => {
    const failed = (error: Error & { readonly code?: string }) =>
      resolve({ isHealthy: false, message: `Get "${url}": ${reasonOf(error, url)}` })
    const request = get(url, probeOptions, (response) => {
      const { statusCode = 0 } = response
      let message = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        message = (message + chunk).slice(0, longestMessage)
      })
      response.on('end', () => {
        if (statusCode >= 200 && statusCode < 300) resolve({ isHealthy: true, message })
        else resolve({ isHealthy: false, message: `HTTP probe failed with statuscode: ${statusCode}` })
      })
      response.on('error', failed)
    })
    request.on('timeout', () => request.destroy(new Error('i/o timeout')))
    request.on('error', failed)
  })
}

/** Characters of a response that are shown, as upstream limits it. */
const longestMessage = 10_240

function reasonOf({ code, message }: Error & { readonly code?: string }, url: string): string {
  return code === 'ECONNREFUSED' ? `dial tcp ${new URL(url).host}: connect: connection refused` : message
}
