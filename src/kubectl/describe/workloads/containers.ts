import type { EphemeralContainer } from '../../../api/core/v1/container/ephemeral-container.js'
import type { Probe } from '../../../api/core/v1/container/probe.js'
import type { ContainerState, ContainerStatus } from '../../../api/core/v1/container/status.js'
import type { Container, ContainerPort } from '../../../api/core/v1/container.js'
import type { ResourceRequirements } from '../../../api/core/v1/resource-requirements.js'
import { quote } from '../../../schema/quote.js'
import { compareText } from '../../../schema/text-order.js'
import type { DescriptionPage } from '../page.js'
import { listText, noneText, sortedKeys, yesNoText } from '../text.js'
import { longTime } from '../times.js'
import { type FieldValue, writeEnvironment, writeEnvironmentSources } from './container-variables.js'

type AnyContainer = Container | EphemeralContainer

interface ContainerOptions {
  /** The indentation before labels. Templates are indented more. */
  readonly space?: string
  readonly statuses?: readonly ContainerStatus[] | undefined
  /** Looks up a field of the pod. */
  readonly fieldValue?: FieldValue
}

export function writeContainers(
  page: DescriptionPage,
  label: string,
  containers: readonly AnyContainer[],
  { space = '', statuses = [], fieldValue }: ContainerOptions = {},
): void {
  page.line(0, `${space}${label}:${containers.length === 0 ? ' <none>' : ''}`)
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name)
    page.line(1, `${space === '' ? '' : ' '}${container.name}:`)
    writeImage(page, container, status)
    writeWords(page, 'Command', container.command)
    writeWords(page, 'Args', container.args)
    if (status) writeStatus(page, status)
    writeResources(page, container.resources, 2)
    writeProbes(page, container)
    writeEnvironmentSources(page, container.envFrom)
    writeEnvironment(page, container, fieldValue)
    writeMounts(page, container)
  }
}

function writeImage(
  page: DescriptionPage,
  { image = '', ports = [], securityContext }: AnyContainer,
  status?: ContainerStatus,
): void {
  if (status) page.field('Container ID', status.containerID ?? '', 2)
  page.field('Image', image, 2)
  if (status) page.field('Image ID', status.imageID, 2)
  writePorts(page, 'Port', ports, ({ containerPort }) => containerPort)
  writePorts(page, 'Host Port', ports, ({ hostPort = 0 }) => hostPort)
  const profile = securityContext?.seccompProfile
  if (!profile) return
  page.field('SeccompProfile', profile.type, 2)
  if (profile.type === 'Localhost') page.field('LocalhostProfile', profile.localhostProfile ?? '', 3)
}

function writePorts(
  page: DescriptionPage,
  label: string,
  ports: readonly ContainerPort[],
  of: (port: ContainerPort) => number,
): void {
  const texts = ports.map((port) => `${of(port)}/${port.protocol ?? ''}`)
  page.field(texts.length > 1 ? `${label}s` : label, texts.join(', ') || noneText, 2)
}

function writeWords(page: DescriptionPage, label: string, words: readonly string[] = []): void {
  if (words.length === 0) return
  page.line(2, `${label}:`)
  for (const line of words.flatMap((word) => word.split('\n'))) page.line(3, line)
}

export function writeResources(
  page: DescriptionPage,
  resources: ResourceRequirements | undefined,
  level: number,
): void {
  const { limits, requests } = resources ?? {}
  const parts = { Limits: limits, Requests: requests }
  for (const [label, amounts] of Object.entries(parts)) {
    const names = sortedKeys(amounts)
    if (names.length > 0) page.line(level, `${label}:`)
    for (const name of names) page.field(name, amounts![name], level + 1)
  }
}

function writeStatus(page: DescriptionPage, { state = {}, lastState, ready, restartCount }: ContainerStatus): void {
  writeState(page, 'State', state)
  if (lastState?.terminated) writeState(page, 'Last State', lastState)
  page.field('Ready', yesNoText(ready), 2)
  page.field('Restart Count', restartCount, 2)
}

function writeState(page: DescriptionPage, label: string, { running, waiting, terminated }: ContainerState): void {
  if (running) {
    page.field(label, 'Running', 2)
    page.field('Started', longTime(running.startedAt), 3)
  } else if (!terminated || waiting) {
    page.field(label, 'Waiting', 2)
    if (waiting?.reason) page.field('Reason', waiting.reason, 3)
  } else {
    page.field(label, 'Terminated', 2)
    if (terminated.reason) page.field('Reason', terminated.reason, 3)
    if (terminated.message) page.field('Message', terminated.message, 3)
    page.field('Exit Code', terminated.exitCode, 3)
    if ((terminated.signal ?? 0) > 0) page.field('Signal', terminated.signal, 3)
    page.field('Started', longTime(terminated.startedAt), 3)
    page.field('Finished', longTime(terminated.finishedAt), 3)
  }
}

function writeProbes(page: DescriptionPage, { livenessProbe, readinessProbe, startupProbe }: AnyContainer): void {
  if (livenessProbe) page.field('Liveness', probeText(livenessProbe), 2)
  if (readinessProbe) page.field('Readiness', probeText(readinessProbe), 2)
  if (startupProbe) page.field('Startup', probeText(startupProbe), 2)
}

function writeMounts(page: DescriptionPage, { volumeMounts = [], volumeDevices = [] }: AnyContainer): void {
  const isEmpty = volumeMounts.length === 0 ? `\t${noneText}` : ''
  page.line(2, `Mounts:${isEmpty}`)
  for (const mount of [...volumeMounts].sort((left, right) => compareText(left.mountPath, right.mountPath))) {
    const flags = [mount.readOnly ? 'ro' : 'rw', ...(mount.subPath ? [`path=${quote(mount.subPath)}`] : [])]
    page.line(3, `${mount.mountPath} from ${mount.name} (${flags.join(',')})`)
  }
  if (volumeDevices.length === 0) return
  page.line(2, `Devices:${isEmpty}`)
  for (const { devicePath, name } of [...volumeDevices].sort((left, right) =>
    compareText(left.devicePath, right.devicePath),
  ))
    page.line(3, `${devicePath} from ${name}`)
}

/** `http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 #failure=3` */
function probeText(probe: Probe): string {
  const { initialDelaySeconds = 0, timeoutSeconds = 0, periodSeconds = 0, successThreshold = 0 } = probe
  const times = `delay=${initialDelaySeconds}s timeout=${timeoutSeconds}s period=${periodSeconds}s`
  return `${actionText(probe)} ${times} #success=${successThreshold} #failure=${probe.failureThreshold ?? 0}`
}

function actionText({ exec, httpGet, tcpSocket, grpc }: Probe): string {
  if (exec) return `exec ${listText(exec.command)}`
  if (httpGet) {
    const { scheme = '', host = '', port, path = '' } = httpGet
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
    return `http-get ${scheme.toLowerCase()}://${authority}${encoded(path)}`
  }
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port}`
  return grpc ? `grpc <pod>:${grpc.port} ${grpc.service ?? ''}` : 'unknown'
}

/** Escapes characters that a URL path may not contain. */
function encoded(path: string): string {
  const slashed = path === '' || path.startsWith('/') ? path : `/${path}`
  return encodeURI(slashed).replace(/[?#]/g, (character) => (character === '?' ? '%3F' : '%23'))
}
