import { get } from 'node:https'
import type { ObjectStore } from '../cache/object-store.js'
import type { Component } from './component-statuses.js'

/** The parts of the control plane that a server expects on its own machine, and the store. */
export function controlPlane(store: ObjectStore): readonly Component[] {
  return [
    { name: 'controller-manager', check: () => healthOf('https://127.0.0.1:10257/healthz') },
    { name: 'scheduler', check: () => healthOf('https://127.0.0.1:10259/healthz') },
    {
      name: 'etcd-0',
      async check() {
        await store.current()
        return 'ok'
      },
    },
  ]
}

/** Their certificates are their own: nothing is sent that would be worth knowing who gets it. */
function healthOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error & { readonly code?: string }) => {
      const why = error.code === 'ECONNREFUSED' ? 'connect: connection refused' : error.message
      reject(new Error(`Get "${url}": dial tcp ${new URL(url).host}: ${why}`))
    }
    const request = get(url, { rejectUnauthorized: false, timeout: 2000 }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
      response.on('error', failed)
    })
    request.on('timeout', () => request.destroy(new Error('i/o timeout')))
    request.on('error', failed)
  })
}
