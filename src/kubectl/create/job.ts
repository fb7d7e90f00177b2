import { text } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { fetchObjects } from '../resources/fetch.js'
import { groupKindOf, metadataOf, resourceName } from '../resources/resource-object.js'
import { type GeneratorContext, generator, noTimestamp } from './generator.js'

const flags = {
  from: text('Create the job from this cron job: cronjob/NAME'),
  image: text('Image of the job'),
} as const

export const createJob = generator({
  usage: 'NAME --image=image [--from=cronjob/name] -- [COMMAND] [args...] [options]',
  about: 'Create a job from an image or from a cron job.',
  examples: ['kubectl create job once --image=busybox -- date', 'kubectl create job now --from=cronjob/nightly'],
  flags,
  failure: 'failed to create job: ',
  build: (call, name) => {
    const { image, from } = call.flags
    const command = call.args.slice(1)
    if ((image === '') === (from === '')) throw new Error('either --image or --from must be specified')
    if (from !== '' && command.length > 0) throw new Error('cannot specify --from and command')
    if (from !== '') return jobOf(call, name)
    return job({ ...noTimestamp, name }, jobSpec({ image, name, command, restart: 'Never' }))
  },
})

function job(metadata: JsonObject, spec: JsonObject): JsonObject {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec, status: {} }
}

interface JobOptions {
  readonly name: string
  readonly image: string
  readonly command: readonly string[]
  readonly restart: string
}

/** Returns the spec of a job with one container. */
function jobSpec({ name, image, command, restart }: JobOptions): JsonObject {
  const container = { ...(command.length > 0 && { command }), image, name, resources: {} }
  return { template: { metadata: noTimestamp, spec: { containers: [container], restartPolicy: restart } } }
}

/** Returns the job that a cron job would create. */
async function jobOf({ flags: { from }, factory }: GeneratorContext<typeof flags>, name: string): Promise<JsonObject> {
  if (!from.includes('/')) await (await factory.mapper()).resource(from)
  const [info] = await fetchObjects(factory, { args: [from] })
  const { resource, object: cronJob, name: owner } = info!
  if (resourceName(resource) !== 'cronjobs.batch')
    throw new Error(`unknown object type *${groupKindOf(cronJob).version}.${resource.kind}`)
  const { uid = '' } = metadataOf(cronJob)
  const template = objectIn(objectIn(cronJob, 'spec') ?? {}, 'jobTemplate') ?? {}
  const { annotations = {}, labels } = metadataOf(template)
  const metadata = {
    annotations: { 'cronjob.kubernetes.io/instantiate': 'manual', ...annotations },
    ...noTimestamp,
    ...(labels && { labels }),
    name,
    ownerReferences: [{ apiVersion: 'batch/v1', controller: true, kind: 'CronJob', name: owner, uid }],
  }
  return job(metadata, withUnbornPods(objectIn(template, 'spec') ?? {}))
}

/** Adds the empty creation timestamp to the pod template. */
function withUnbornPods(spec: JsonObject): JsonObject {
  const template = objectIn(spec, 'template') ?? {}
  return { ...spec, template: { ...template, metadata: { ...noTimestamp, ...objectIn(template, 'metadata') } } }
}

export const createCronJob = generator({
  usage: "NAME --image=image --schedule='0/5 * * * ?' -- [COMMAND] [args...] [options]",
  about: 'Create a cron job, which runs an image on a schedule.',
  examples: ["kubectl create cronjob nightly --image=busybox --schedule='0 3 * * *' -- date"],
  flags: {
    image: text('Image of the cron job'),
    restart: text('Restart policy of the pods: OnFailure or Never'),
    schedule: text('Schedule in cron format'),
  },
  required: ['image', 'schedule'],
  failure: 'failed to create cronjob: ',
  build: ({ flags: { image, restart, schedule }, args }, name) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { ...noTimestamp, name },
    spec: {
      jobTemplate: {
        metadata: { ...noTimestamp, name },
        spec: jobSpec({ image, name, command: args.slice(1), restart: restart === '' ? 'OnFailure' : restart }),
      },
      schedule,
    },
    status: {},
  }),
})
