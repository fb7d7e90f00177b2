import type { CronJob, JobTemplateSpec } from '../../../api/batch/v1/cron-job.js'
import type { Job } from '../../../api/batch/v1/job.js'
import { ageText } from '../../printers/age.js'
import type { Describe } from '../describing.js'
import { eventsOf } from '../events.js'
import { controllerText, labelsAndAnnotations } from '../metadata.js'
import type { Page } from '../page.js'
import { longTime } from '../times.js'
import { none, selectorText, unset, yesNoText } from '../words.js'
import { writePodTemplate } from './pod-template.js'

export const describeJob: Describe<Job> = async (job, on) => {
  const { page } = on
  const { metadata, spec, status } = job
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  page.field('Selector', selectorText(spec.selector))
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

function writeWork(page: Page, { spec }: Job): void {
  if (spec.parallelism !== undefined) page.field('Parallelism', spec.parallelism)
  page.field('Completions', spec.completions ?? unset)
  if (spec.completionMode !== undefined) page.field('Completion Mode', spec.completionMode)
  if (spec.suspend !== undefined) page.field('Suspend', spec.suspend)
  if (spec.backoffLimit !== undefined) page.field('Backoff Limit', spec.backoffLimit)
  const { ttlSecondsAfterFinished: lifetime } = spec
  if (lifetime !== undefined) page.field('TTL Seconds After Finished', lifetime)
}

function writeTimes(page: Page, { spec, status }: Job): void {
  const { startTime, completionTime } = status
  if (startTime) page.field('Start Time', longTime(startTime))
  if (completionTime) page.field('Completed At', longTime(completionTime))
  if (startTime && completionTime) page.field('Duration', ageText(Date.parse(completionTime) - Date.parse(startTime)))
  const { activeDeadlineSeconds: deadline } = spec
  if (deadline !== undefined) page.field('Active Deadline Seconds', `${deadline}s`)
}

const fewIndexes = 50

/** Not all of them, where there are many: up to the next comma. */
function indexesText(indexes = ''): string {
  if (indexes === '') return none
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
  page.field('Successful Job History Limit', spec.successfulJobsHistoryLimit ?? unset)
  page.field('Failed Job History Limit', spec.failedJobsHistoryLimit ?? unset)
  const { startingDeadlineSeconds: deadline } = spec
  page.field('Starting Deadline Seconds', deadline === undefined ? unset : `${deadline}s`)
  writeJobTemplate(page, spec.jobTemplate)
  page.field('Last Schedule Time', status.lastScheduleTime ? longTime(status.lastScheduleTime) : unset)
  page.field('Active Jobs', (status.active ?? []).map(({ name = '' }) => name).join(', ') || none)
  await eventsOf(cronJob, on)
}

function writeJobTemplate(page: Page, { spec }: JobTemplateSpec): void {
  page.field('Selector', spec?.selector ? selectorText(spec.selector) : unset)
  page.field('Parallelism', spec?.parallelism ?? unset)
  page.field('Completions', spec?.completions ?? unset)
  const deadline = spec?.activeDeadlineSeconds
  if (deadline !== undefined) page.field('Active Deadline Seconds', `${deadline}s`)
  writePodTemplate(page, spec?.template)
}
