import type { Toleration } from '../../../api/core/v1/taint.js'
import type { RuntimeClass, Scheduling } from '../../../api/node/v1/runtime-class.js'
import { quote } from '../../../schema/quote.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { ObjectLookup, ObjectLookups } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isNewPod, podOf } from '../requests.js'

/** What it costs to run a pod in some way, and where that is possible, is for the runtime class to say. */
export function runtimeClass(lookups: ObjectLookups): AdmissionPlugin {
  const classes = lookups.of<RuntimeClass>('node.k8s.io', 'v1', 'runtimeclasses')
  return {
    name: 'RuntimeClass',
    handles: isNewPod,
    mutate(request) {
      const { runtimeClassName, overhead = {} } = podOf(request).spec
      if (runtimeClassName === undefined && Object.keys(overhead).length > 0) throw overheadWithoutClass(request)
      return runtimeClassName === undefined ? undefined : runAs(request, classes, runtimeClassName)
    },
    validate(request) {
      const { runtimeClassName = '', overhead = {} } = podOf(request).spec
      const fixed = runtimeClassName === '' ? {} : (classes.get(runtimeClassName)?.overhead?.podFixed ?? {})
      if (!sameAmounts(overhead, fixed))
        throw Object.keys(fixed).length > 0 ? otherOverhead(request) : overheadWithoutClass(request)
    },
  }
}

async function runAs(request: AdmissionRequest, classes: ObjectLookup<RuntimeClass>, name: string): Promise<void> {
  const found = classes.get(name) ?? (await classes.find(name))
  if (!found) throw rejection(request, `pod rejected: RuntimeClass ${quote(name)} not found`)
  addOverhead(request, found)
  if (found.scheduling) schedule(request, found.scheduling)
}

function addOverhead(request: AdmissionRequest, { overhead }: RuntimeClass): void {
  const { spec } = podOf(request)
  const given = spec.overhead ?? {}
  if (!overhead) {
    if (Object.keys(given).length > 0) throw overheadWithoutClass(request)
    return
  }
  const fixed = overhead.podFixed ?? {}
  if (Object.keys(given).length > 0 && !sameAmounts(given, fixed)) throw otherOverhead(request)
  if (Object.keys(fixed).length > 0) spec.overhead = { ...fixed }
}

function otherOverhead(request: AdmissionRequest): Error {
  return rejection(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
}

function overheadWithoutClass(request: AdmissionRequest): Error {
  return rejection(request, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead')
}

type Amounts = Readonly<Record<string, string>>

function sameAmounts(left: Amounts, right: Amounts): boolean {
  const names = Object.keys(left)
  if (names.length !== Object.keys(right).length) return false
  return names.every(
    (name) => right[name] !== undefined && Quantity.parse(left[name]!).equals(Quantity.parse(right[name])),
  )
}

function schedule(request: AdmissionRequest, { nodeSelector = {}, tolerations = [] }: Scheduling): void {
  const { spec } = podOf(request)
  const own = spec.nodeSelector ?? {}
  for (const [label, value] of Object.entries(nodeSelector))
    if (own[label] !== undefined && own[label] !== value)
      throw rejection(
        request,
        `conflict: runtimeClass.scheduling.nodeSelector[${label}] = ${value}; pod.spec.nodeSelector[${label}] = ${own[label]}`,
      )
  if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...own, ...nodeSelector }
  const present = spec.tolerations ?? []
  const missing = tolerations.filter((one) => !present.some((other) => isSame(one, other)))
  if (missing.length > 0) spec.tolerations = [...present, ...missing.map((one) => ({ ...one }))]
}

function isSame(left: Toleration, right: Toleration): boolean {
  const parts = ({ key, operator, value, effect, tolerationSeconds }: Toleration) =>
    JSON.stringify([key ?? '', operator ?? '', value ?? '', effect ?? '', tolerationSeconds ?? null])
  return parts(left) === parts(right)
}
