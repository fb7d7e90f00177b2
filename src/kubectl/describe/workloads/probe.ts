import type { Probe } from '../../../api/core/v1/container/probe.js'
import { listText } from '../words.js'

/** `http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 #failure=3` */
export function probeText(probe: Probe): string {
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

/** What cannot stand in the path of an address is written in hexadecimal. */
function encoded(path: string): string {
  const slashed = path === '' || path.startsWith('/') ? path : `/${path}`
  return encodeURI(slashed).replace(/[?#]/g, (character) => (character === '?' ? '%3F' : '%23'))
}
