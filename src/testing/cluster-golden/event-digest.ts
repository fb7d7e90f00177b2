import type { Event } from '../../api/core/v1/event.js'
import type { JsonValue } from '../../schema/declaration.js'
import { compareText } from '../../schema/text-order.js'
import { sortedText } from './json-order.js'
import type { ObjectNormalForm } from './object-normal-form.js'
import type { ClusterScenario, EventRecordStep, ScenarioVariables } from './scenario.js'

type Needs = ClusterScenario['needs']

/** Events that depend on timing in every scenario. */
const racy: readonly ((event: Event, needs: Needs) => boolean)[] = [
  // The kubelet's caches have not seen the namespace's objects yet; it tries again.
  ({ reason, message = '' }) =>
    reason === 'FailedMount' && /not registered|failed to sync (configmap|secret) cache/.test(message),
  // A component lost a race for an update and retries.
  ({ message = '' }) => message.includes('object has been modified'),
  ({ reason = '' }) => reason.startsWith('FailedToUpdateEndpoint'),
  // A pod is looked at before a node that the scenario makes is usable, or before its claim is there.
  ({ reason, message = '' }, needs) =>
    needs !== 'scheduler' &&
    reason === 'FailedScheduling' &&
    /no nodes available|untolerated taint(\(s\))? ?\{node.kubernetes.io\/not-ready|skip schedule deleting pod|is being deleted/.test(
      message,
    ),
  // Repetitions that differ in a random name are told as one after the tenth.
  ({ message = '' }) => message.startsWith('(combined from similar events)'),
  // The namespace is new or terminating.
  ({ message = '' }) =>
    /unable to get namespace|because it is being terminated|error looking up service account/.test(message),
]

export interface DigestOptions {
  readonly keep: EventRecordStep['events']
  readonly normal: ObjectNormalForm
  readonly needs: Needs
  readonly variables: ScenarioVariables
}

/** Returns each distinct event once, sorted. Counts and times are ignored. */
export function eventDigest(events: readonly Event[], options: DigestOptions): readonly JsonValue[] {
  const lines = new Map<string, JsonValue>()
  for (const event of events) {
    if (!counts(event, options)) continue
    const line = options.normal.of(lineOf(event))
    lines.set(sortedText(line), line)
  }
  return [...lines].sort(([one], [other]) => compareText(one, other)).map(([, line]) => line)
}

function counts(event: Event, { keep, needs, variables }: DigestOptions): boolean {
  if (racy.some((isRacy) => isRacy(event, needs))) return false
  // Scenarios of controllers have no nodes, so scheduling fails.
  if (needs === 'controllers' && componentOf(event) === 'default-scheduler') return false
  return keep === true || keep(event, variables)
}

function lineOf(event: Event): JsonValue {
  const { type = '', reason = '', message = '', involvedObject } = event
  const { kind, name, fieldPath } = involvedObject
  const object = `${kind}/${name}${fieldPath ? ` ${fieldPath}` : ''}`
  return { type, reason, message, object, from: componentOf(event) }
}

function componentOf({ source, reportingComponent }: Event): string {
  return source?.component || reportingComponent || ''
}

/** Compares lists of events as sets. */
export function eventDifferences(want: readonly JsonValue[], got: readonly JsonValue[]): readonly string[] {
  const lines = (events: readonly JsonValue[]) => events.map(sortedText)
  const without = (events: readonly string[], others: readonly string[]) =>
    events.filter((each) => !others.includes(each))
  return [
    ...without(lines(want), lines(got)).map((line) => `missing ${line}`),
    ...without(lines(got), lines(want)).map((line) => `unexpected ${line}`),
  ]
}
