import { hasReason } from '../../api/errors.js'
import { sleep } from '../../base/clock.js'
import type { JsonObject } from '../../schema/declaration.js'
import { errorMessage, throwAll } from '../command-errors.js'
import { isNotFound } from '../factory/rest.js'
import { dryRunOf, dryRunQuery } from '../printers/result.js'
import { metadataOf, objectPath, type ResourceObject } from '../resources/resource-object.js'
import type { DrainContext } from './flags.js'
import { isSkippedAsTerminating } from './pod-filters.js'

interface EvictionDeadline {
  /** In terms of `clock.monotonic()`; undefined for no deadline. */
  readonly deadline: number | undefined
  /** As the user typed it. */
  readonly limit: string
}

/** The delay before an eviction that a disruption budget denied is tried again. */
const retryAfter = 5_000
/** The interval between checks whether a pod is gone. */
const pollInterval = 1_000

/** Evicts all pods at the same time. Resolves when they are gone. */
export async function evictAll(
  call: DrainContext,
  pods: readonly ResourceObject[],
  limit: EvictionDeadline,
): Promise<void> {
  if (call.flags['disable-eviction']) {
    for (const pod of pods) await deletePod(call, pod)
    await Promise.all(pods.map((pod) => untilPodIsGone(call, pod, { limit, done: 'deleted' })))
    return
  }
  const results = await Promise.allSettled(pods.map((pod) => evict(call, pod, limit)))
  throwAll(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])))
}

async function evict(call: DrainContext, pod: ResourceObject, limit: EvictionDeadline): Promise<void> {
  const { out, err, factory } = call
  const { clock, signal } = factory.environment
  const isServerRun = dryRunOf(call.flags) === 'server'
  for (;;) {
    await out(`evicting pod ${pod.namespace}/${pod.name}${isServerRun ? ' (server dry run)' : ''}\n`)
    if (isLate(call, limit))
      throw new Error(
        `error when evicting pods/"${pod.name}" -n "${pod.namespace}": global timeout reached: ${limit.limit}`,
      )
    try {
      await askToGo(call, pod)
      break
    } catch (error) {
      if (isNotFound(error)) return
      const what = `error when evicting pods/"${pod.name}" -n "${pod.namespace}"`
      if (!hasReason(error, 'TooManyRequests')) throw new Error(`${what}: ${errorMessage(error)}`, { cause: error })
      await err(`${what} (will retry after 5s): ${errorMessage(error)}\n`)
      await sleep(clock, retryAfter, signal)
    }
  }
  if (isServerRun) return
  try {
    await untilPodIsGone(call, pod, { limit, done: 'evicted' })
  } catch (error) {
    const what = `error when waiting for pod "${pod.name}" in namespace "${pod.namespace}" to terminate`
    throw new Error(`${what}: ${errorMessage(error)}`, { cause: error })
  }
}

function isLate({ factory }: DrainContext, { deadline }: EvictionDeadline): boolean {
  return deadline !== undefined && factory.environment.clock.monotonic() >= deadline
}

function deleteOptions({ flags }: DrainContext): JsonObject {
  const grace = flags['grace-period']
  return { ...(grace >= 0 && { gracePeriodSeconds: grace }), ...dryRunList(flags) }
}

function dryRunList(flags: DrainContext['flags']): JsonObject {
  return dryRunOf(flags) === 'server' ? { dryRun: ['All'] } : {}
}

async function askToGo(call: DrainContext, pod: ResourceObject): Promise<void> {
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: pod.name, namespace: pod.namespace },
    deleteOptions: deleteOptions(call),
  }
  const query = dryRunQuery(dryRunOf(call.flags))
  await (await call.factory.rest()).json({ method: 'POST', path: objectPath(pod, 'eviction'), query, body })
}

async function deletePod(call: DrainContext, pod: ResourceObject): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...deleteOptions(call) }
  await (await call.factory.rest()).json({ method: 'DELETE', path: objectPath(pod), body }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}

interface Going {
  readonly limit: EvictionDeadline
  readonly done: string
}

async function untilPodIsGone(call: DrainContext, pod: ResourceObject, { limit, done }: Going): Promise<void> {
  const { clock, signal } = call.factory.environment
  for (;;) {
    const now = await present(call, pod)
    if (!now) return call.out(`pod/${pod.name} ${done}\n`)
    if (isSkippedAsTerminating({ object: now }, call))
      return call.out(
        `pod ${pod.name} has DeletionTimestamp older than ${call.flags['skip-wait-for-delete-timeout']} seconds, skipping\n`,
      )
    if (isLate(call, limit)) throw new Error('context deadline exceeded')
    const left = limit.deadline === undefined ? pollInterval : limit.deadline - clock.monotonic()
    await sleep(clock, Math.max(Math.min(pollInterval, left), 0), signal)
  }
}

/** Returns undefined if the pod is gone. A pod with the same name and another UID is a new pod. */
async function present({ factory }: DrainContext, pod: ResourceObject): Promise<JsonObject | undefined> {
  try {
    const object = await (await factory.rest()).json<JsonObject>({ path: objectPath(pod) })
    return metadataOf(object).uid === metadataOf(pod.object).uid ? object : undefined
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
