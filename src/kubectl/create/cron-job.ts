import { text } from '../../base/flags/flag-types.js'
import { generator, unborn } from './generator.js'
import { jobSpec } from './job.js'

export const createCronJob = generator({
  usage: "NAME --image=image --schedule='0/5 * * * ?' -- [COMMAND] [args...] [options]",
  about: 'Create a cron job with the given name: an image that runs again and again.',
  examples: ["kubectl create cronjob nightly --image=busybox --schedule='0 3 * * *' -- date"],
  flags: {
    image: text('Image that it runs'),
    restart: text('OnFailure or Never: what becomes of pods that fail'),
    schedule: text('When it runs, as cron has it'),
  },
  required: ['image', 'schedule'],
  failure: 'failed to create cronjob: ',
  build: ({ flags: { image, restart, schedule }, args }, name) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { ...unborn, name },
    spec: {
      jobTemplate: {
        metadata: { ...unborn, name },
        spec: jobSpec({ image, name, command: args.slice(1), restart: restart === '' ? 'OnFailure' : restart }),
      },
      schedule,
    },
    status: {},
  }),
})
