import type { Probe } from '../../api/core/v1/container/probe.js'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { containerPort } from './container-port.js'
import { httpGetOf } from './http-get.js'
import type { Asking, ProbeActions } from './probe-actions.js'
import { failure, longestOutput, ProbeError, type ProbeOutcome, success } from './probe-outcome.js'
import { CommandTimedOut, runCommand } from './run-command.js'

/** Whom a probe asks. */
export interface ProbeTarget {
  readonly pod: Pod
  readonly container: Container
  readonly containerId: string
  /** Of the pod; empty while it has none. */
  readonly address: string
  readonly probe: Probe
  readonly signal: AbortSignal
}

export interface AskingParts {
  readonly runtime: ContainerRuntime
  readonly actions: ProbeActions
}

/** An error says nothing about the container: it is asked again at once, and a few times at most. */
const triesAtMost = 3

/** Asks a container once. Rejects with a `ProbeError` where nothing was learnt. */
export async function askContainer(target: ProbeTarget, parts: AskingParts): Promise<ProbeOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask(target, parts)
    } catch (error) {
      if (tries < triesAtMost && !target.signal.aborted) continue
      throw error instanceof ProbeError ? error : new ProbeError((error as Error).message)
    }
  }
}

async function ask(target: ProbeTarget, parts: AskingParts): Promise<ProbeOutcome> {
  const { pod, container, address, probe, signal } = target
  const { httpGet, tcpSocket, grpc } = probe
  const asking: Asking = { timeout: 1000 * (probe.timeoutSeconds || 1), signal }
  if (probe.exec) return askByCommand(target, parts)
  if (httpGet) return parts.actions.http(httpGetOf(httpGet, { container, address, agent: 'probe' }), asking)
  if (tcpSocket) {
    const port = containerPort(tcpSocket.port, container)
    return parts.actions.tcp({ host: tcpSocket.host || address, port }, asking)
  }
  if (grpc) return parts.actions.grpc({ host: address, port: grpc.port, service: grpc.service ?? '' }, asking)
  const { name, namespace, uid } = pod.metadata
  throw new ProbeError(`missing probe handler for ${name}_${namespace}(${uid}):${container.name}`)
}

async function askByCommand(
  { probe, containerId, signal }: ProbeTarget,
  { runtime }: AskingParts,
): Promise<ProbeOutcome> {
  const words = probe.exec!.command ?? []
  try {
    const timeoutSeconds = probe.timeoutSeconds || 1
    const { exitCode, output } = await runCommand(runtime, { containerId, words, timeoutSeconds, signal })
    const told = output.subarray(0, longestOutput).toString()
    return exitCode === 0 ? success(told) : failure(told)
  } catch (error) {
    if (error instanceof CommandTimedOut) return failure(error.message)
    throw error
  }
}
