import { boolean, repeated, signedDuration, signedInteger, text } from '../../base/flags/flag-types.js'
import { managerFlag, recordFlag } from '../changes/change-flags.js'
import type { CommandContext } from '../command.js'
import { sessionFlags } from '../exec/session.js'
import { outputFlags } from '../printers/output.js'
import { dryRunFlag } from '../printers/result.js'

export const runFlags = {
  ...outputFlags,
  ...dryRunFlag,
  ...recordFlag,
  ...managerFlag('kubectl-run'),
  annotations: repeated('Annotations of the pods: key=value'),
  attach: boolean('Wait until the pod runs, and attach to it'),
  'detach-keys': sessionFlags['detach-keys'],
  command: boolean('The arguments are the command, and not arguments of the one of the image'),
  env: repeated('Environment variables of the container: NAME=value'),
  expose: boolean('Make a service for the port, too'),
  generator: text(
    'What is made: deployment/apps.v1, job/v1, cronjob/v1, run-pod/v1, run/v1; by --restart and --schedule unless given',
  ),
  hostport: signedInteger('Port of the node that leads to the container', { initial: -1 }),
  image: text('Image that is run'),
  'image-pull-policy': text('Always, IfNotPresent or Never'),
  labels: text('Labels of all that is made: key=value,key=value', { short: 'l' }),
  'leave-stdin-open': boolean('Keep standard input open after the first attachment'),
  limits: text('What the container may use at most: cpu=200m,memory=512Mi'),
  'override-type': text('json or merge: how --overrides is meant', { initial: 'merge' }),
  overrides: text('JSON that the object is changed with before it is sent'),
  'pod-running-timeout': signedDuration('With --attach: how long to wait for the pod', { initial: 60_000 }),
  port: text('Port that the container serves'),
  privileged: boolean('Run the container privileged'),
  quiet: boolean('Say nothing but what the container says', { short: 'q' }),
  replicas: signedInteger('How many pods there are', { initial: 1, short: 'r' }),
  requests: text('What is kept free for the container: cpu=100m,memory=256Mi'),
  restart: text('Always (a Deployment), OnFailure (a Job) or Never (a Pod)', { initial: 'Always' }),
  rm: boolean('Delete it when the attachment is over'),
  'save-config': boolean('Note in an annotation what was created, so that apply can go on from it'),
  schedule: text('When it is run, as cron has it: makes a CronJob'),
  serviceaccount: text('Service account of the pods'),
  'service-generator': text('What --expose makes', { initial: 'service/v2' }),
  'service-overrides': text('JSON that the service is changed with before it is sent'),
  stdin: boolean('Keep standard input of the container open', { short: 'i' }),
  tty: boolean('Give the container a terminal', { short: 't' }),
} as const

export type RunContext = CommandContext<typeof runFlags>
