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
  attach: boolean('Wait for the pod to run and attach to it'),
  'detach-keys': sessionFlags['detach-keys'],
  command: boolean('Use the arguments as the command of the container'),
  env: repeated('Environment variables of the container: NAME=value'),
  expose: boolean('Create a service for the port'),
  generator: text(
    'What is made: deployment/apps.v1, job/v1, cronjob/v1, run-pod/v1, run/v1; by --restart and --schedule unless given',
  ),
  hostport: signedInteger('Host port of the container', { initial: -1 }),
  image: text('The image to run'),
  'image-pull-policy': text('Image pull policy: Always, IfNotPresent or Never'),
  labels: text('Labels of the created objects: key=value,key=value', { short: 'l' }),
  'leave-stdin-open': boolean('Keep standard input open after the first client detaches'),
  limits: text('Resource limits of the container: cpu=200m,memory=512Mi'),
  'override-type': text('Format of --overrides: json or merge', { initial: 'merge' }),
  overrides: text('JSON patch for the object before it is created'),
  'pod-running-timeout': signedDuration('With --attach: how long to wait for the running pod', { initial: 60_000 }),
  port: text('Port of the container'),
  privileged: boolean('Run the container privileged'),
  quiet: boolean('Print only the output of the container', { short: 'q' }),
  replicas: signedInteger('The number of replicas', { initial: 1, short: 'r' }),
  requests: text('Resource requests of the container: cpu=100m,memory=256Mi'),
  restart: text('Always (a Deployment), OnFailure (a Job) or Never (a Pod)', { initial: 'Always' }),
  rm: boolean('Delete the object after the attached session ends'),
  'save-config': boolean('Save the object in an annotation, for a later apply'),
  schedule: text('Schedule in cron format; creates a CronJob'),
  serviceaccount: text('Service account of the pods'),
  'service-generator': text('Generator of the service for --expose', { initial: 'service/v2' }),
  'service-overrides': text('JSON merge patch for the service before it is created'),
  stdin: boolean('Keep standard input of the container open', { short: 'i' }),
  tty: boolean('Allocate a terminal for the container', { short: 't' }),
} as const

export type RunContext = CommandContext<typeof runFlags>
