import type { Pod } from '../../../api/core/v1/pod.js'
import type { PriorityClass } from '../../../api/scheduling/v1/priority-class.js'
import type { Draft } from '../../../schema/infer.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import type { ObjectLookup } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isFor, isPod, isWrite, podOf } from '../request.js'

/** Sets the priority of a pod to the value of its priority class. */
export const priority = defineAdmissionPlugin({
  name: 'Priority',
  position: 150,
  isDefault: true,
  create({ lookups }) {
    const classes = lookups.of<PriorityClass>('scheduling.k8s.io', 'v1', 'priorityclasses')
    return {
      handles: (request) => isWrite(request) && (isPod(request) || isClass(request)),
      mutate(request) {
        if (!isPod(request)) return
        if (request.operation === 'UPDATE') keepPriority(podOf(request), request.old as Pod)
        else return prioritize(request, classes)
      },
      validate(request) {
        if (isClass(request)) checkOnlyDefault(request, classes)
      },
    }
  },
})

function isClass(request: AdmissionRequest): boolean {
  return isFor(request, 'scheduling.k8s.io', 'priorityclasses')
}

/** Keeps the stored values if a client that does not know these fields leaves them out. */
function keepPriority(pod: Draft<Pod>, old: Pod): void {
  const { priority, preemptionPolicy } = old.spec
  if (pod.spec.priority === undefined && priority !== undefined) pod.spec = { ...pod.spec, priority }
  if (pod.spec.preemptionPolicy === undefined && preemptionPolicy !== undefined)
    pod.spec = { ...pod.spec, preemptionPolicy }
}

function prioritize(request: AdmissionRequest, classes: ObjectLookup<PriorityClass>): void | Promise<void> {
  const { priorityClassName } = podOf(request).spec
  const named = priorityClassName ? classes.get(priorityClassName) : defaultClass(classes)
  if (priorityClassName && !named) return prioritizeByNewClass(request, classes, priorityClassName)
  setPriority(request, named)
}

/** The watch cache may not have the class yet. */
async function prioritizeByNewClass(
  request: AdmissionRequest,
  classes: ObjectLookup<PriorityClass>,
  name: string,
): Promise<void> {
  const found = await classes.find(name)
  if (!found) throw rejection(request, `no PriorityClass with name ${name} was found`)
  setPriority(request, found)
}

/** Returns the global default; the one with the lowest value, if there are several. */
function defaultClass(classes: ObjectLookup<PriorityClass>): PriorityClass | undefined {
  const defaults = classes.list().filter(({ globalDefault }) => globalDefault)
  return defaults.reduce<PriorityClass | undefined>(
    (least, one) => (least && least.value <= one.value ? least : one),
    undefined,
  )
}

function setPriority(request: AdmissionRequest, of: PriorityClass | undefined): void {
  const pod = podOf(request)
  const value = of?.value ?? 0
  const policy = of?.preemptionPolicy ?? 'PreemptLowerPriority'
  const { priority, preemptionPolicy } = pod.spec
  const computed = 'must not be provided in pod spec; priority admission controller computed'
  if (priority !== undefined && priority !== value)
    throw rejection(
      request,
      `the integer value of priority (${priority}) ${computed} ${value} from the given PriorityClass name`,
    )
  if (preemptionPolicy !== undefined && preemptionPolicy !== policy)
    throw rejection(
      request,
      `the string value of PreemptionPolicy (${preemptionPolicy}) ${computed} ${policy} from the given PriorityClass name`,
    )
  if (of) pod.spec.priorityClassName = of.metadata.name!
  pod.spec.priority = value
  pod.spec.preemptionPolicy = policy
}

function checkOnlyDefault(request: AdmissionRequest, classes: ObjectLookup<PriorityClass>): void {
  const { globalDefault, metadata } = request.object as PriorityClass
  const present = globalDefault ? defaultClass(classes) : undefined
  if (!present || (request.operation === 'UPDATE' && present.metadata.name === metadata.name)) return
  throw rejection(
    request,
    `PriorityClass ${present.metadata.name} is already marked as default. Only one default can exist`,
  )
}
