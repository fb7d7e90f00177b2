import type { Probe } from '../../api/core/v1/container/probe.js'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { containerPort } from './container-port.js'
import { httpGetOf } from './http-get.js'
import type { ProbeActionOptions, ProbeActions } from './probe-actions.js'
import { longestOutput, ProbeError, type ProbeResult, probeFailure, probeSuccess } from './probe-result.js'
import { CommandTimeoutError, runInContainer } from './run-command.js'

/** The container and the probe to run. */
export interface ProbeTarget {
  readonly pod: Pod
  readonly container: Container
  readonly containerId: string
  /** Address of the pod. Empty while it has none. */
  readonly address: string
  readonly probe: Probe
  readonly signal: AbortSignal
}

export interface ProbeDependencies {
  readonly runtime: ContainerRuntime
  readonly actions: ProbeActions
}

/** An error says nothing about the container, so the probe is repeated a few times. */
const triesAtMost = 3

/** Runs a probe once. Rejects with a `ProbeError` if there is no result. */
export async function runProbe(target: ProbeTarget, dependencies: ProbeDependencies): Promise<ProbeResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await runProbeOnce(target, dependencies)
    } catch (error) {
      if (tries < triesAtMost && !target.signal.aborted) continue
      throw error instanceof ProbeError ? error : new ProbeError((error as Error).message)
    }
  }
}

async function runProbeOnce(target: ProbeTarget, dependencies: ProbeDependencies): Promise<ProbeResult> {
  const { pod, container, address, probe, signal } = target
  const { httpGet, tcpSocket, grpc } = probe
  const options: ProbeActionOptions = { timeout: 1000 * (probe.timeoutSeconds || 1), signal }
  if (probe.exec) return runCommandProbe(target, dependencies)
  if (httpGet) return dependencies.actions.http(httpGetOf(httpGet, { container, address, agent: 'probe' }), options)
  if (tcpSocket) {
    const port = containerPort(tcpSocket.port, container)
    return dependencies.actions.tcp({ host: tcpSocket.host || address, port }, options)
  }
  if (grpc) return dependencies.actions.grpc({ host: address, port: grpc.port, service: grpc.service ?? '' }, options)
  const { name, namespace, uid } = pod.metadata
  throw new ProbeError(`missing probe handler for ${name}_${namespace}(${uid}):${container.name}`)
}

async function runCommandProbe(
  { probe, containerId, signal }: ProbeTarget,
  { runtime }: ProbeDependencies,
): Promise<ProbeResult> {
  const words = probe.exec!.command ?? []
  try {
    const timeoutSeconds = probe.timeoutSeconds || 1
    const { exitCode, output } = await runInContainer(runtime, { containerId, words, timeoutSeconds, signal })
    const text = output.subarray(0, longestOutput).toString()
    return exitCode === 0 ? probeSuccess(text) : probeFailure(text)
  } catch (error) {
    if (error instanceof CommandTimeoutError) return probeFailure(error.message)
    throw error
  }
}
