/** What a job gets when it does not say, and how it is shown. */
import type { JsonValue } from '../../../../schema/declaration.js'
import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { humanDuration } from '../../../../schema/values/duration.js'
import { parseTime } from '../../../../schema/values/time.js'
import { containersCell, imagesCell } from '../../../core/v1/pod-template/cells.js'
import { labelSelectorText } from '../../../selectors/label-selector.js'
import { Job, type JobConditionType } from '../job.js'
import { isConditionTrue } from './conditions.js'
import { PodFailurePolicyOnPodConditionsPattern } from './pod-failure-policy.js'

const standardBackoffLimit = 6
/** Where each index has its own limit, the one of the whole job is out of the way. */
const noBackoffLimit = 2 ** 31 - 1

// They are those of jobs, not of their specs: the template of a cron job stays as it is until a job is made from it.
export const jobDefaults = declareDefaults<Job>(Job, ({ spec }) => {
  if (spec.parallelism === undefined) spec.completions ??= 1
  spec.parallelism ??= 1
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? standardBackoffLimit : noBackoffLimit
  spec.completionMode ??= 'NonIndexed'
  spec.suspend ??= false
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'
  spec.manualSelector ??= false
})

export const jobTable = declareTable<Job>(Job, {
  Status: statusCell,
  Completions: completionsCell,
  Duration: durationCell,
  Containers: ({ spec }) => containersCell(spec.template),
  Images: ({ spec }) => imagesCell(spec.template),
  Selector: ({ spec }) => labelSelectorText(spec.selector),
})

export const podConditionsPatternDefaults = declareDefaults<PodFailurePolicyOnPodConditionsPattern>(
  PodFailurePolicyOnPodConditionsPattern,
  (pattern) => {
    pattern.status ||= 'True'
  },
)

/** The end of a job counts more than its deletion, and that more than how it is doing. */
function statusCell(job: Job): JsonValue {
  const shown = (types: readonly JobConditionType[]) => types.find((type) => isConditionTrue(job, type))
  return (
    shown(['Complete', 'Failed']) ??
    (job.metadata.deletionTimestamp ? 'Terminating' : undefined) ??
    shown(['Suspended', 'FailureTarget', 'SuccessCriteriaMet']) ??
    'Running'
  )
}

function completionsCell({ spec, status }: Job): JsonValue {
  const { succeeded = 0 } = status
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`
  return (spec.parallelism ?? 0) > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`
}

function durationCell({ status }: Job, now: number): JsonValue {
  const { startTime, completionTime } = status
  if (startTime === undefined) return ''
  return humanDuration((completionTime === undefined ? now : parseTime(completionTime)) - parseTime(startTime))
}
