import { Pod } from 'proa/api/core/v1/pod'
import type { Initializer } from './initializer.js'

const annotation = 'initializers.example.com/sidecar'
const proxy = { name: 'sidecar-proxy', image: 'nginx:1.27' }

/** Pods that expose port 80, or ask for it by an annotation, get a proxy beside their containers. */
export const sidecar: Initializer<Pod> = {
  name: 'sidecar.initializers.example.com',
  objects: (client) => client.resource(Pod),
  complete(pod) {
    if (!wantsProxy(pod) || hasProxy(pod)) return pod
    return { ...pod, spec: { ...pod.spec, containers: [...pod.spec.containers, proxy] } }
  },
}

function wantsProxy({ metadata, spec }: Pod): boolean {
  if (metadata.annotations?.[annotation] === 'true') return true
  return spec.containers.some(({ ports = [] }) => ports.some(({ containerPort }) => containerPort === 80))
}

function hasProxy({ spec }: Pod): boolean {
  return spec.containers.some(({ name }) => name === proxy.name)
}
