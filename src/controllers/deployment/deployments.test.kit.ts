import type { Deployment, DeploymentStatus } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { IntOrString } from '../../schema/values/int-or-string.js'

export interface DeploymentOptions {
  readonly replicas?: number
  readonly surge?: IntOrString
  readonly unavailable?: IntOrString
  readonly strategy?: 'RollingUpdate' | 'Recreate'
  readonly deadline?: number
  readonly history?: number
  readonly annotations?: Readonly<Record<string, string>>
  readonly status?: DeploymentStatus
}

/** A Deployment as an informer would hand it out. */
export function someDeployment(options: DeploymentOptions = {}): Deployment {
  const { replicas = 10, surge = '25%', unavailable = '25%', strategy = 'RollingUpdate', status = {} } = options
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'd', generation: 1, annotations: options.annotations ?? {} },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: templateOf('v1'),
      strategy: {
        type: strategy,
        ...(strategy === 'RollingUpdate' && { rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } }),
      },
      ...(options.deadline !== undefined && { progressDeadlineSeconds: options.deadline }),
      ...(options.history !== undefined && { revisionHistoryLimit: options.history }),
    },
    status,
  }
}

function templateOf(image: string) {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image }] } }
}

export interface ReplicaSetOptions {
  readonly name?: string
  readonly size: number
  readonly available?: number
  readonly revision?: string
  readonly annotations?: Readonly<Record<string, string>>
  /** Seconds after midnight. */
  readonly created?: number
}

/** A ReplicaSet that has all the pods it asks for. */
export function someReplicaSet({
  size,
  available = size,
  revision,
  created = 0,
  ...options
}: ReplicaSetOptions): ReplicaSet {
  const { name = 'web-1' } = options
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: 'shop',
      uid: name,
      creationTimestamp: `2026-01-01T00:00:${String(created).padStart(2, '0')}Z`,
      annotations: {
        ...options.annotations,
        ...(revision !== undefined && { 'deployment.kubernetes.io/revision': revision }),
      },
    },
    spec: { replicas: size, selector: {}, template: templateOf(name) },
    status: { replicas: size, readyReplicas: available, availableReplicas: available, terminatingReplicas: 0 },
  }
}
