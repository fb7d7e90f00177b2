import type { JsonObject } from '../../schema/declaration.js'

/** The checked options of `run`. */
export interface RunCommandOptions {
  readonly name: string
  readonly image: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly replicas: number
  readonly restart: RunRestartPolicy
  readonly schedule: string
  readonly serviceAccount: string
  readonly container: JsonObject
}

export type RunRestartPolicy = 'Always' | 'OnFailure' | 'Never'

/** Builds an object from the options. */
type RunGenerator = (options: RunCommandOptions) => JsonObject

/** The creation timestamp of an object that was never sent. */
const noTimestamp = { creationTimestamp: null }

const generators: Readonly<Record<string, RunGenerator>> = {
  deployment,
  job,
  cronjob,
  'run-pod': pod,
  run: replicationController,
}

/** Returns the generator for `deployment/apps.v1` or an older name. Only the kind counts: the version is the one that is served today. */
export function generatorOf(name: string): RunGenerator {
  const [kind = '', version = ''] = name.split('/')
  const found = version !== '' && Object.hasOwn(generators, kind) ? generators[kind] : undefined
  if (found) return found
  throw new Error(`generator "${name}" not found`)
}

/** Chooses a generator by restart policy and schedule. */
export function defaultGenerator({ restart, schedule }: Pick<RunCommandOptions, 'restart' | 'schedule'>): string {
  if (schedule !== '') return 'cronjob/v1'
  const byPolicy = { Always: 'deployment/apps.v1', OnFailure: 'job/v1', Never: 'run-pod/v1' } as const
  return byPolicy[restart]
}

function metadata({ name, labels, annotations }: RunCommandOptions): JsonObject {
  return { ...noTimestamp, ...(Object.keys(annotations).length > 0 && { annotations }), labels, name }
}

function podSpec({ container, serviceAccount }: RunCommandOptions, restart?: RunRestartPolicy): JsonObject {
  return {
    containers: [container],
    ...(restart && { restartPolicy: restart }),
    ...(serviceAccount !== '' && { serviceAccountName: serviceAccount }),
  }
}

function template(options: RunCommandOptions, restart?: RunRestartPolicy): JsonObject {
  const { labels, annotations } = options
  const own = { ...noTimestamp, ...(Object.keys(annotations).length > 0 && { annotations }), labels }
  return { metadata: own, spec: podSpec(options, restart) }
}

function pod(options: RunCommandOptions): JsonObject {
  const spec = { ...podSpec(options, options.restart), dnsPolicy: 'ClusterFirst' }
  return { apiVersion: 'v1', kind: 'Pod', metadata: metadata(options), spec, status: {} }
}

function deployment(options: RunCommandOptions): JsonObject {
  const { replicas, labels } = options
  const spec = { replicas, selector: { matchLabels: labels }, strategy: {}, template: template(options) }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: metadata(options), spec, status: {} }
}

function replicationController(options: RunCommandOptions): JsonObject {
  const { replicas, labels } = options
  const spec = { replicas, selector: labels, template: template(options) }
  return { apiVersion: 'v1', kind: 'ReplicationController', metadata: metadata(options), spec, status: { replicas: 0 } }
}

/** Returns the spec of a job. Jobs do not allow the restart policy Always. */
function jobSpec(options: RunCommandOptions): JsonObject {
  return { template: template(options, options.restart === 'Always' ? 'OnFailure' : options.restart) }
}

function job(options: RunCommandOptions): JsonObject {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: metadata(options), spec: jobSpec(options), status: {} }
}

function cronjob(options: RunCommandOptions): JsonObject {
  if (options.schedule === '') throw new Error('--schedule is required for cronjobs')
  const jobTemplate = { metadata: noTimestamp, spec: jobSpec(options) }
  const spec = { concurrencyPolicy: 'Allow', jobTemplate, schedule: options.schedule }
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: metadata(options), spec, status: {} }
}

/** Returns the service for `--expose`. */
export function exposedService({ name, labels }: RunCommandOptions, port: number): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...noTimestamp, name },
    spec: { ports: [{ port, protocol: 'TCP', targetPort: port }], selector: labels },
    status: { loadBalancer: {} },
  }
}
