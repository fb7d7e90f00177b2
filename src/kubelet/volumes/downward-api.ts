import type { ResourceFieldSelector } from '../../api/core/v1/env.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { DownwardAPIVolumeFile } from '../../api/core/v1/volume-projection.js'
import { aggregated } from '../../schema/field-errors.js'
import { Quantity } from '../../schema/quantity.js'
import { quote } from '../../schema/quote.js'
import { compareText } from '../../schema/text-order.js'
import type { FileContent, Payload } from './payload.js'

/** What the node can give to pods, by resource: the limit of a container that has none. */
export type Allocatable = Readonly<Record<string, string>>

export interface DownwardApi {
  readonly pod: Pod
  readonly items: readonly DownwardAPIVolumeFile[]
  readonly defaultMode: number
  readonly allocatable: Allocatable
}

/** What a pod is told about itself, as files. */
export function downwardApiFiles({ pod, items, defaultMode, allocatable }: DownwardApi): Payload {
  const files = new Map<string, FileContent>()
  const failures: string[] = []
  for (const item of items) {
    try {
      const text = item.fieldRef
        ? podField(pod, item.fieldRef.fieldPath)
        : resourceValue(pod, item.resourceFieldRef!, allocatable)
      files.set(item.path, { text, encoding: 'utf8', mode: item.mode ?? defaultMode })
    } catch (error) {
      failures.push((error as Error).message)
    }
  }
  if (failures.length > 0) throw new Error(aggregated(failures))
  return files
}

type Texts = Readonly<Record<string, string>> | undefined

/** A field of a pod's metadata as a text; of labels and annotations one, or all of them. */
export function podField({ metadata }: Pod, path: string): string {
  const [, field, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? []
  if (field) return metadata[field as 'labels' | 'annotations']?.[key!] ?? ''
  switch (path) {
    case 'metadata.labels':
      return lines(metadata.labels)
    case 'metadata.annotations':
      return lines(metadata.annotations)
    case 'metadata.name':
      return metadata.name ?? ''
    case 'metadata.namespace':
      return metadata.namespace ?? ''
    case 'metadata.uid':
      return metadata.uid ?? ''
    default:
      throw new Error(`unsupported fieldPath: ${path}`)
  }
}

function lines(texts: Texts): string {
  return Object.entries(texts ?? {})
    .sort(([one], [other]) => compareText(one, other))
    .map(([key, text]) => `${key}=${quote(text)}`)
    .join('\n')
}

const limitedByNode = new Set(['cpu', 'memory', 'ephemeral-storage'])

/** A container's request or limit, in units of the divisor, rounded up. */
export function resourceValue({ spec }: Pod, asked: ResourceFieldSelector, allocatable: Allocatable): string {
  const { containerName = '', resource, divisor } = asked
  const container = [...spec.containers, ...(spec.initContainers ?? [])].find(({ name }) => name === containerName)
  if (!container) throw new Error(`container ${containerName} not found`)
  const [, which, name] = /^(limits|requests)\.(.+)$/.exec(resource) ?? []
  if (!which || !name || !isTold(name)) throw new Error(`unsupported container resource : ${resource}`)
  const amount = quantity(container.resources?.[which as 'limits' | 'requests']?.[name])
  const isOpen = which === 'limits' && amount.isZero() && limitedByNode.has(name)
  return String(divided(name, isOpen ? quantity(allocatable[name]) : amount, quantity(divisor)))
}

function isTold(name: string): boolean {
  return limitedByNode.has(name) || name.startsWith('hugepages-')
}

function quantity(text: string | undefined): Quantity {
  return text === undefined ? Quantity.zero : Quantity.parse(text)
}

function divided(name: string, amount: Quantity, divisor: Quantity): bigint {
  const scale = name === 'cpu' ? -3 : 0
  const unit = (divisor.isZero() ? Quantity.of(1) : divisor).scaledValue(scale)
  const value = amount.scaledValue(scale)
  return (value + unit - 1n) / unit
}
