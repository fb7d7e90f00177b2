import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { builtin } from '../../api/scheme.js'
import type { JsonObject } from '../../schema/declaration.js'
import { applyStrategicPatch } from '../../schema/patch/strategic-patch.js'
import type { ObservedContainer, ObservedPod } from '../runtime/observed-pod.js'
import { mergedStatus } from './merged-status.js'
import { podStatus } from './pod-status.js'
import type { PodStatusInput } from './pod-status-input.js'
import { container, goneSandbox, input, observed, pod, sandbox, seen, start } from './pod-status-input.test.kit.js'
import { podStatusPatch } from './status-writer.js'

const containerState = fc.constantFrom<ObservedContainer['state'] | 'none'>(
  'none',
  'created',
  'running',
  'exited',
  'unknown',
)

interface Moment {
  readonly states: Readonly<
    Record<string, { state: ObservedContainer['state'] | 'none'; exitCode: number; attempt: number }>
  >
  readonly isReady: boolean | undefined
  readonly hasSandbox: boolean
  readonly isWaiting: boolean
  readonly isEvicted: boolean
}

const one = fc.record({
  state: containerState,
  exitCode: fc.constantFrom(0, 1, 42),
  attempt: fc.integer({ min: 0, max: 2 }),
})
const moment: fc.Arbitrary<Moment> = fc.record({
  states: fc.record({ init: one, side: one, c: one, d: one }),
  isReady: fc.constantFrom(undefined, true, false),
  hasSandbox: fc.boolean(),
  isWaiting: fc.boolean(),
  isEvicted: fc.integer({ max: 9, min: 0 }).map((number) => number === 0),
})

const probe = { exec: { command: ['x'] } }
const anyPod: fc.Arbitrary<Pod> = fc
  .record({
    restartPolicy: fc.constantFrom('Always' as const, 'OnFailure' as const, 'Never' as const),
    hasInit: fc.boolean(),
    isDeleted: fc.boolean(),
  })
  .map(({ restartPolicy, hasInit, isDeleted }) =>
    pod(
      {
        restartPolicy,
        containers: [container('c', { readinessProbe: probe }), container('d')],
        ...(hasInit && { initContainers: [container('init'), container('side', { restartPolicy: 'Always' })] }),
      },
      isDeleted ? { deletionTimestamp: '2026-05-01T11:00:00Z' } : {},
    ),
  )

function observedAt({ states, hasSandbox }: Moment): ObservedPod {
  const containers = Object.entries(states).flatMap(([name, { state, exitCode, attempt }]) =>
    state === 'none' ? [] : [observed(name, state, { exitCode, restartCount: attempt })],
  )
  return seen(containers, [hasSandbox ? sandbox : goneSandbox])
}

function situationAt(
  of: Pod,
  { moment, previous, i }: { moment: Moment; previous: PodStatus; i: number },
): PodStatusInput {
  return input({
    pod: of,
    previous,
    observed: observedAt(moment),
    now: start + i * 1000,
    waiting: new Map(moment.isWaiting ? [['c', { reason: 'CrashLoopBackOff', message: 'm' }]] : []),
    failure: moment.isEvicted ? { phase: 'Failed', reason: 'Evicted', message: 'm' } : undefined,
    probes: { readiness: () => moment.isReady, startup: () => undefined, liveness: () => undefined },
  })
}

const statusesOf = ({ initContainerStatuses = [], containerStatuses = [] }: PodStatus): readonly ContainerStatus[] => [
  ...initContainerStatuses,
  ...containerStatuses,
]
const isOver = ({ phase }: PodStatus) => phase === 'Succeeded' || phase === 'Failed'

/** Calls `check` with each status of a history, and the one before. */
function throughHistory(
  of: Pod,
  moments: readonly Moment[],
  check: (before: PodStatus, after: PodStatus, input: PodStatusInput) => void,
) {
  let previous: PodStatus = {}
  for (const [i, moment] of moments.entries()) {
    const now = situationAt(of, { moment, previous, i })
    const status = podStatus(now)
    check(previous, status, now)
    previous = status
  }
}

const history = fc.array(moment, { minLength: 1, maxLength: 8 })

test('whatever is observed, a status is never reverted', () => {
  fc.assert(
    fc.property(anyPod, history, (of, moments) =>
      throughHistory(of, moments, (before, after) => {
        if (isOver(before)) assert.equal(after.phase, before.phase)
        if (before.startTime) assert.equal(after.startTime, before.startTime)
        for (const known of statusesOf(before)) {
          const told = statusesOf(after).find(({ name }) => name === known.name)!
          assert.ok(told.restartCount >= known.restartCount, `${told.restartCount} after ${known.restartCount}`)
        }
        for (const { type, status, lastTransitionTime } of before.conditions ?? []) {
          const told = after.conditions?.find((condition) => condition.type === type)
          if (told?.status === status) assert.equal(told.lastTransitionTime, lastTransitionTime)
        }
      }),
    ),
  )
})

test('the same observation gives the same status', () => {
  fc.assert(
    fc.property(anyPod, history, (of, moments) =>
      throughHistory(of, moments, (_, status, now) =>
        assert.deepEqual(podStatus({ ...now, previous: status }), status),
      ),
    ),
  )
})

test('a finished pod is never ready, and never finished while a container runs', () => {
  fc.assert(
    fc.property(anyPod, history, (of, moments) =>
      throughHistory(of, moments, (before, after, { observed: { containers } }) => {
        if (!isOver(after)) return
        for (const type of ['Ready', 'ContainersReady'])
          assert.equal(after.conditions?.find((condition) => condition.type === type)?.status, 'False')
        if (!isOver(before)) assert.ok(!containers.some(({ state }) => state === 'running'))
      }),
    ),
  )
})

const type = builtin.type('core/v1.PodStatus')
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonObject

/** Two independent statuses of one pod: the stored one and the kubelet's. */
const twoWords = fc
  .tuple(anyPod, moment, moment, fc.constantFrom(undefined, 'Failed' as const))
  .map(([of, first, second, phase]) => {
    const foreign = { conditions: [{ type: 'example.com/x', status: 'True' as const }], nominatedNodeName: 'n' }
    const said = podStatus(situationAt(of, { moment: first, previous: {}, i: 0 }))
    const server = {
      ...said,
      ...foreign,
      conditions: [...said.conditions!, ...foreign.conditions],
      ...(phase && { phase }),
    }
    const own = podStatus(situationAt(of, { moment: second, previous: {}, i: 1 }))
    return { stored: { ...of, status: server } as Pod, own }
  })

test('nothing that is stored is reverted, and fields of other writers stay', () => {
  fc.assert(
    fc.property(twoWords, ({ stored, own }) => {
      const merged = mergedStatus(stored, own)
      if (isOver(stored.status)) assert.equal(merged.phase, stored.status.phase)
      assert.equal(merged.nominatedNodeName, 'n')
      assert.ok(merged.conditions?.some(({ type }) => type === 'example.com/x'))
      if (stored.spec.restartPolicy === 'Never')
        for (const { name, state } of stored.status.containerStatuses ?? [])
          if (state?.terminated)
            assert.ok(merged.containerStatuses?.find((status) => status.name === name)?.state?.terminated)
    }),
  )
})

test('the patch produces the status, and no further patch is needed', () => {
  fc.assert(
    fc.property(twoWords, ({ stored, own }) => {
      const merged = mergedStatus(stored, own)
      const patch = podStatusPatch(stored, merged) as { status: JsonObject } | undefined
      const result = patch ? applyStrategicPatch(type, plain(stored.status), plain(patch.status)) : plain(stored.status)
      assert.deepEqual(plain(result), plain(merged))
      const after = { ...stored, status: result as unknown as PodStatus } as Pod
      assert.equal(podStatusPatch(after, mergedStatus(after, own)), undefined)
    }),
  )
})
