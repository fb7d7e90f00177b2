import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Secret } from '../../api/core/v1/secret.js'
import { notFound } from '../../api/errors.js'
import { type Environment, environment } from '../../base/environment.js'
import { type LogRecord, logger } from '../../base/logging.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { Client } from '../../client/client.js'
import type { Occurrence } from '../../client/events/event-recorder.js'
import type { Transport } from '../../client/transport.js'
import { inProcessRuntime } from '../../cri/in-process.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { type ScenarioFile, SimulationScenario } from '../../cri/simulated/scenario.js'
import { simulatedRuntime } from '../../cri/simulated/simulated-runtime.js'
import { ContainerError } from '../containers/container-error.js'
import type { ImageRequest } from './images.js'
import { type PodImages, podImages } from './pod-images.js'
import type { PullOptions } from './pulls.js'

export interface ImagesHarness extends Disposable {
  readonly clock: VirtualClock
  readonly environment: Environment
  /** A test may replace calls. */
  readonly runtime: { -readonly [Call in keyof ContainerRuntime]: ContainerRuntime[Call] }
  readonly images: PodImages
  /** Recorded events: `Normal Pulled: …`. */
  readonly told: string[]
  readonly logged: LogRecord[]
  readonly pulls: string[]
  readonly folder: string
  /** Starts another kubelet with the same folder. */
  restarted(): PodImages
}

export interface ImagesHarnessOptions {
  readonly scenario?: ScenarioFile
  readonly secrets?: readonly Secret[]
  readonly pulls?: PullOptions
}

/** Images over a simulated runtime and a virtual clock. */
export async function imagesHarness({
  scenario = {},
  secrets = [],
  pulls,
}: ImagesHarnessOptions = {}): Promise<ImagesHarness> {
  const clock = new VirtualClock()
  const logged: LogRecord[] = []
  const log = logger({ now: () => 0, write: (record) => logged.push(record), level: 'debug' })
  const harness = environment({ clock, random: seededRandom(7), log })
  const simulated = inProcessRuntime(
    await simulatedRuntime({ environment: harness, scenario: new SimulationScenario(scenario) }),
    {
      environment: harness,
    },
  )
  const told: string[] = []
  const pulled: string[] = []
  const runtime: ContainerRuntime = {
    ...simulated,
    pullImage(request, options) {
      pulled.push(request.image?.image ?? '')
      return simulated.pullImage(request, options)
    },
  }
  const folder = mkdtempSync(join(tmpdir(), 'proa-images-'))
  const record = ({ type, reason, message }: Occurrence) => void told.push(`${type} ${reason}: ${message}`)
  const client = new Client(secretTransport(secrets), { clock })
  const begin = () =>
    podImages({ environment: harness, client, runtime, events: { record }, identity: { rootFolder: folder }, pulls })
  return {
    clock,
    environment: harness,
    runtime,
    images: begin(),
    told,
    logged,
    pulls: pulled,
    folder,
    restarted: begin,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

/** A server that has only these secrets. */
function secretTransport(secrets: readonly Secret[]): Transport {
  return {
    async send({ path }) {
      const [, , , , namespace = '', , name = ''] = path.split('/')
      const found = secrets.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
      if (!found) throw notFound({ group: '', resource: 'secrets' }, name)
      return { response: { is: 'object', code: 200, object: { object: found } }, warnings: [] } as never
    },
    close() {},
  }
}

export function requestOf(image: string, more: Partial<ImageRequestOptions> = {}): ImageRequest {
  const { policy = 'IfNotPresent', uid = 'u1', secrets = [], signal } = more
  const container = { name: 'c', image, imagePullPolicy: policy }
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${uid}`, namespace: 'default', uid },
    spec: { containers: [container], imagePullSecrets: secrets.map((name) => ({ name })) },
    status: {},
  } as unknown as Pod
  return { pod, container, sandbox: {}, fieldPath: 'spec.containers{c}', ...(signal && { signal }) }
}

interface ImageRequestOptions {
  readonly policy: 'Always' | 'IfNotPresent' | 'Never'
  readonly uid: string
  readonly secrets: readonly string[]
  readonly signal: AbortSignal
}

/** `ErrImagePull: no such image`, or `` if nothing failed. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return ''
  } catch (error) {
    if (error instanceof ContainerError) return `${error.reason}: ${error.message}`
    throw error
  }
}

export function pullSecret(name: string, registries: Readonly<Record<string, object>>, uid = `uid-of-${name}`): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'default', uid },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths: registries })).toString('base64') },
  } as Secret
}
