import type { CronJob, JobTemplateSpec } from '../../../api/batch/v1/cron-job.js'
import type { Job } from '../../../api/batch/v1/job.js'
import { ageText } from '../../printers/age.js'
import type { Describe } from '../context.js'
import { eventsOf } from '../events.js'
import { controllerText, labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { noneText, selectorQueryText, unsetText, yesNoText } from '../text.js'
import { longTime } from '../times.js'
import { writePodTemplate } from './pod-template.js'

export const describeJob: Describe<Job> = async (job, on) => {
  const { page } = on
  const { metadata, spec, status } = job
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  page.field('Selector', selectorQueryText(spec.selector))
  labelsAndAnnotations(page, metadata)
  const controller = controllerText(metadata)
  if (controller !== '') page.field('Controlled By', controller)
  writeWork(page, job)
  writeTimes(page, job)
  const { active = 0, ready, succeeded = 0, failed = 0 } = status
  const readyText = ready === undefined ? '' : ` (${ready} Ready)`
  page.field('Pods Statuses', `${active} Active${readyText} / ${succeeded} Succeeded / ${failed} Failed`)
  if (spec.completionMode === 'Indexed') page.field('Completed Indexes', indexesText(status.completedIndexes))
  writePodTemplate(page, spec.template)
  await eventsOf(job, on)
}

function writeWork(page: DescriptionPage, { spec }: Job): void {
  if (spec.parallelism !== undefined) page.field('Parallelism', spec.parallelism)
  page.field('Completions', spec.completions ?? unsetText)
  if (spec.completionMode !== undefined) page.field('Completion Mode', spec.completionMode)
  if (spec.suspend !== undefined) page.field('Suspend', spec.suspend)
  if (spec.backoffLimit !== undefined) page.field('Backoff Limit', spec.backoffLimit)
  const { ttlSecondsAfterFinished: lifetime } = spec
  if (lifetime !== undefined) page.field('TTL Seconds After Finished', lifetime)
}

function writeTimes(page: DescriptionPage, { spec, status }: Job): void {
  const { startTime, completionTime } = status
  if (startTime) page.field('Start Time', longTime(startTime))
  if (completionTime) page.field('Completed At', longTime(completionTime))
  if (startTime && completionTime) page.field('Duration', ageText(Date.parse(completionTime) - Date.parse(startTime)))
  const { activeDeadlineSeconds: deadline } = spec
  if (deadline !== undefined) page.field('Active Deadline Seconds', `${deadline}s`)
}

const fewIndexes = 50

/** Shortens a long list of indexes at a comma. */
function indexesText(indexes = ''): string {
  if (indexes === '') return noneText
  const comma = indexes.indexOf(',', fewIndexes)
  return comma === -1 ? indexes : `${indexes.slice(0, comma + 1)}...`
}

export const describeCronJob: Describe<CronJob> = async (cronJob, on) => {
  const { page } = on
  const { metadata, spec, status } = cronJob
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  labelsAndAnnotations(page, metadata)
  page.field('Schedule', spec.schedule)
  page.field('Concurrency Policy', spec.concurrencyPolicy ?? '')
  page.field('Suspend', yesNoText(spec.suspend))
  page.field('Successful Job History Limit', spec.successfulJobsHistoryLimit ?? unsetText)
  page.field('Failed Job History Limit', spec.failedJobsHistoryLimit ?? unsetText)
  const { startingDeadlineSeconds: deadline } = spec
  page.field('Starting Deadline Seconds', deadline === undefined ? unsetText : `${deadline}s`)
  writeJobTemplate(page, spec.jobTemplate)
  page.field('Last Schedule Time', status.lastScheduleTime ? longTime(status.lastScheduleTime) : unsetText)
  page.field('Active Jobs', (status.active ?? []).map(({ name = '' }) => name).join(', ') || noneText)
  await eventsOf(cronJob, on)
}

function writeJobTemplate(page: DescriptionPage, { spec }: JobTemplateSpec): void {
  page.field('Selector', spec?.selector ? selectorQueryText(spec.selector) : unsetText)
  page.field('Parallelism', spec?.parallelism ?? unsetText)
  page.field('Completions', spec?.completions ?? unsetText)
  const deadline = spec?.activeDeadlineSeconds
  if (deadline !== undefined) page.field('Active Deadline Seconds', `${deadline}s`)
  writePodTemplate(page, spec?.template)
}
