import type { Container } from '../../../api/core/v1/container.js'
import type { LimitRange } from '../../../api/core/v1/limit-range.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { Draft } from '../../../schema/infer.js'
import { extensibleCopy } from '../../../schema/json-value.js'

type Amounts = Readonly<Record<string, string>>

const annotation = 'kubernetes.io/limit-ranger'

/** Gives containers the requests and limits that they do not state, and says so in an annotation. */
export function fillInResources(pod: Draft<Pod>, range: LimitRange): void {
  const defaults = defaultsOf(range)
  const said: string[] = []
  for (const container of pod.spec.containers ?? []) fill(container, 'container', defaults, said)
  for (const container of pod.spec.initContainers ?? []) fill(container, 'init container', defaults, said)
  if (said.length === 0) return
  pod.metadata.annotations = extensibleCopy(pod.metadata.annotations ?? {})
  pod.metadata.annotations[annotation] = `LimitRanger plugin set: ${said.join('; ')}`
}

/** In the order of their names. */
type Entries = readonly (readonly [name: string, amount: string])[]

interface Defaults {
  readonly requests: Entries
  readonly limits: Entries
}

/** By limit ranges, which are stored objects and so never change. */
const known = new WeakMap<LimitRange, Defaults>()

function defaultsOf(range: LimitRange): Defaults {
  let defaults = known.get(range)
  if (!defaults) {
    const ofContainers = (range.spec.limits ?? []).filter(({ type }) => type === 'Container')
    const requests: Amounts = Object.assign({}, ...ofContainers.map(({ defaultRequest }) => defaultRequest))
    const limits: Amounts = Object.assign({}, ...ofContainers.map(({ default: given }) => given))
    defaults = { requests: Object.entries(requests).sort(), limits: Object.entries(limits).sort() }
    known.set(range, defaults)
  }
  return defaults
}

const titles = { requests: 'request', limits: 'limit' } as const

function fill(container: Draft<Container>, title: string, defaults: Defaults, said: string[]): void {
  for (const which of ['requests', 'limits'] as const) {
    const given = container.resources?.[which]
    const missing = defaults[which].filter(([name]) => given?.[name] === undefined)
    if (missing.length === 0) continue
    const amounts: Record<string, string> = extensibleCopy(given ?? {})
    for (const [name, amount] of missing) amounts[name] = amount
    container.resources = extensibleCopy(container.resources ?? {})
    container.resources[which] = amounts
    said.push(`${missing.map(([name]) => name).join(', ')} ${titles[which]} for ${title} ${container.name}`)
  }
}
