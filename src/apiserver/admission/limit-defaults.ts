import type { Container } from '../../api/core/v1/container.js'
import type { LimitRange } from '../../api/core/v1/limit-range.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Draft } from '../../schema/infer.js'

type Amounts = Readonly<Record<string, string>>

const annotation = 'kubernetes.io/limit-ranger'

/** Gives containers the requests and limits that they do not state, and says so in an annotation. */
export function fillInResources(pod: Draft<Pod>, range: LimitRange): void {
  const ofContainers = (range.spec.limits ?? []).filter(({ type }) => type === 'Container')
  const requests: Amounts = Object.assign({}, ...ofContainers.map(({ defaultRequest }) => defaultRequest))
  const limits: Amounts = Object.assign({}, ...ofContainers.map(({ default: given }) => given))
  const said: string[] = []
  for (const container of pod.spec.containers ?? []) fill(container, 'container', { requests, limits }, said)
  for (const container of pod.spec.initContainers ?? []) fill(container, 'init container', { requests, limits }, said)
  if (said.length === 0) return
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${said.join('; ')}` }
}

interface Defaults {
  readonly requests: Amounts
  readonly limits: Amounts
}

function fill(container: Draft<Container>, title: string, defaults: Defaults, said: string[]): void {
  for (const which of ['requests', 'limits'] as const) {
    const present = container.resources?.[which] ?? {}
    const missing = Object.keys(defaults[which]).filter((name) => present[name] === undefined)
    if (missing.length === 0) continue
    const added = Object.fromEntries(missing.map((name) => [name, defaults[which][name]!]))
    container.resources = { ...container.resources, [which]: { ...present, ...added } }
    said.push(`${missing.sort().join(', ')} ${which.slice(0, -1)} for ${title} ${container.name}`)
  }
}
