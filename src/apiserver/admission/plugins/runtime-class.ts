import type { Toleration } from '../../../api/core/v1/taint.js'
import type { RuntimeClass, Scheduling } from '../../../api/node/v1/runtime-class.js'
import { quote } from '../../../schema/quote.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import type { ObjectLookup } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isNewPod, podOf } from '../request.js'

/** Sets the overhead and the scheduling constraints that the runtime class of a pod demands. */
export const runtimeClass = defineAdmissionPlugin({
  name: 'RuntimeClass',
  position: 250,
  isDefault: true,
  create({ lookups }) {
    const classes = lookups.of<RuntimeClass>('node.k8s.io', 'v1', 'runtimeclasses')
    return {
      handles: isNewPod,
      mutate(request) {
        const { runtimeClassName, overhead = {} } = podOf(request).spec
        if (runtimeClassName === undefined && Object.keys(overhead).length > 0) throw overheadWithoutClass(request)
        return runtimeClassName === undefined ? undefined : applyClass(request, classes, runtimeClassName)
      },
      validate(request) {
        const { runtimeClassName = '', overhead = {} } = podOf(request).spec
        const fixed = runtimeClassName === '' ? {} : (classes.get(runtimeClassName)?.overhead?.podFixed ?? {})
        if (!sameAmounts(overhead, fixed))
          throw Object.keys(fixed).length > 0 ? overheadMismatch(request) : overheadWithoutClass(request)
      },
    }
  },
})

async function applyClass(request: AdmissionRequest, classes: ObjectLookup<RuntimeClass>, name: string): Promise<void> {
  const found = classes.get(name) ?? (await classes.find(name))
  if (!found) throw rejection(request, `pod rejected: RuntimeClass ${quote(name)} not found`)
  addOverhead(request, found)
  if (found.scheduling) addScheduling(request, found.scheduling)
}

function addOverhead(request: AdmissionRequest, { overhead }: RuntimeClass): void {
  const { spec } = podOf(request)
  const given = spec.overhead ?? {}
  if (!overhead) {
    if (Object.keys(given).length > 0) throw overheadWithoutClass(request)
    return
  }
  const fixed = overhead.podFixed ?? {}
  if (Object.keys(given).length > 0 && !sameAmounts(given, fixed)) throw overheadMismatch(request)
  if (Object.keys(fixed).length > 0) spec.overhead = { ...fixed }
}

function overheadMismatch(request: AdmissionRequest): Error {
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

function addScheduling(request: AdmissionRequest, { nodeSelector = {}, tolerations = [] }: Scheduling): void {
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
  const missing = tolerations.filter((one) => !present.some((other) => isSameToleration(one, other)))
  if (missing.length > 0) spec.tolerations = [...present, ...missing.map((one) => ({ ...one }))]
}

function isSameToleration(left: Toleration, right: Toleration): boolean {
  const comparable = ({ key, operator, value, effect, tolerationSeconds }: Toleration) =>
    JSON.stringify([key ?? '', operator ?? '', value ?? '', effect ?? '', tolerationSeconds ?? null])
  return comparable(left) === comparable(right)
}
