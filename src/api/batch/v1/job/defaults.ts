/** The defaults and the table of jobs. */
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
/** The limit of a job whose indexes have limits of their own: effectively none. */
const noBackoffLimit = 2 ** 31 - 1

// Declared for jobs and not for their specs, so that the template of a cron job gets no defaults.
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

/** The result of a job has precedence over its deletion, and that over its progress. */
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
