import { quote } from '../../schema/quote.js'
import { bearer, type Credential } from './credential.js'

/** A credential from a plugin. `expires` is in milliseconds since the epoch; undefined for never. */
export interface PluginCredential {
  readonly credential: Credential
  readonly expires: number | undefined
}

interface ExecCredential {
  readonly apiVersion?: unknown
  readonly kind?: unknown
  readonly status?: Status
}

interface Status {
  readonly token?: unknown
  readonly clientCertificateData?: unknown
  readonly clientKeyData?: unknown
  readonly expirationTimestamp?: unknown
}

/** Parses the ExecCredential that a plugin printed. No error quotes the output. */
export function readExecCredential(output: string, apiVersion: string): PluginCredential {
  const { apiVersion: given, kind, status } = parseOutput(output)
  if (kind !== undefined && kind !== 'ExecCredential')
    throw new Error(`decoding stdout: no kind ${quote(String(kind))} is registered for version ${quote(String(given))}`)
  if (given !== apiVersion)
    throw new Error(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${String(given ?? 'client.authentication.k8s.io/__internal')}`,
    )
  if (!status) throw new Error("exec plugin didn't return a status field")
  return { credential: credentialOf(status), expires: expiryOf(status) }
}

function parseOutput(output: string): ExecCredential {
  let value: unknown
  try {
    value = JSON.parse(output)
  } catch {
    // The parser's own message would quote the output.
    throw new Error("decoding stdout: couldn't get version/kind; json parse error")
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error("decoding stdout: couldn't get version/kind; json parse error: it is no object")
  return value
}

function credentialOf(status: Status): Credential {
  const token = text(status, 'token')
  const cert = text(status, 'clientCertificateData')
  const key = text(status, 'clientKeyData')
  if (!token && !cert && !key) throw new Error("exec plugin didn't return a token or cert/key pair")
  if ((cert === '') !== (key === '')) throw new Error('exec plugin returned only certificate or key, not both')
  return { ...(token && { authorization: bearer(token) }), ...(cert && { certificate: { cert, key } }) }
}

function expiryOf(status: Status): number | undefined {
  const stamp = text(status, 'expirationTimestamp')
  if (stamp === '') return undefined
  const time = Date.parse(stamp)
  if (Number.isNaN(time)) throw new Error('decoding stdout: status.expirationTimestamp is no time')
  return time
}

function text(status: Status, field: keyof Status): string {
  const value = status[field] ?? ''
  if (typeof value !== 'string') throw new Error(`decoding stdout: status.${field} is no string`)
  return value
}
