import type { Container } from '../../../api/core/v1/container.js'
import type { LimitRange } from '../../../api/core/v1/limit-range.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { Draft } from '../../../schema/infer.js'
import { extensibleCopy } from '../../../schema/json-value.js'

type Amounts = Readonly<Record<string, string>>

const annotation = 'kubernetes.io/limit-ranger'

/** Sets the requests and limits that containers leave out, and lists them in an annotation. */
export function setDefaultResources(pod: Draft<Pod>, range: LimitRange): void {
  const defaults = defaultsOf(range)
  const changes: string[] = []
  for (const container of pod.spec.containers ?? []) setMissing(container, 'container', defaults, changes)
  for (const container of pod.spec.initContainers ?? []) setMissing(container, 'init container', defaults, changes)
  if (changes.length === 0) return
  pod.metadata.annotations = extensibleCopy(pod.metadata.annotations ?? {})
  pod.metadata.annotations[annotation] = `LimitRanger plugin set: ${changes.join('; ')}`
}

/** Sorted by name. */
type Entries = readonly (readonly [name: string, amount: string])[]

interface Defaults {
  readonly requests: Entries
  readonly limits: Entries
}

/** By limit range. Stored objects never change. */
const cachedDefaults = new WeakMap<LimitRange, Defaults>()

function defaultsOf(range: LimitRange): Defaults {
  let defaults = cachedDefaults.get(range)
  if (!defaults) {
    const containerLimits = (range.spec.limits ?? []).filter(({ type }) => type === 'Container')
    const requests: Amounts = Object.assign({}, ...containerLimits.map(({ defaultRequest }) => defaultRequest))
    const limits: Amounts = Object.assign({}, ...containerLimits.map(({ default: given }) => given))
    defaults = { requests: Object.entries(requests).sort(), limits: Object.entries(limits).sort() }
    cachedDefaults.set(range, defaults)
  }
  return defaults
}

const titles = { requests: 'request', limits: 'limit' } as const

function setMissing(container: Draft<Container>, title: string, defaults: Defaults, changes: string[]): void {
  for (const which of ['requests', 'limits'] as const) {
    const given = container.resources?.[which]
    const missing = defaults[which].filter(([name]) => given?.[name] === undefined)
    if (missing.length === 0) continue
    const amounts: Record<string, string> = extensibleCopy(given ?? {})
    for (const [name, amount] of missing) amounts[name] = amount
    container.resources = extensibleCopy(container.resources ?? {})
    container.resources[which] = amounts
    changes.push(`${missing.map(([name]) => name).join(', ')} ${titles[which]} for ${title} ${container.name}`)
  }
}
