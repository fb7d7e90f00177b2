import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ExtenderSettings, ExtenderTls } from '../extenders/settings.js'
import type { ExtenderConfiguration, ExtenderTLSConfig } from './declarations.js'
import { parseMilliseconds } from './validation.js'

/** Milliseconds. Upstream's. */
const defaultTimeout = 5_000

/** @param folder against which relative paths are resolved */
export function extenderSettings(extender: ExtenderConfiguration, folder: string): ExtenderSettings {
  const { filterVerb, prioritizeVerb, preemptVerb, bindVerb, httpTimeout, tlsConfig, enableHTTPS } = extender
  return {
    urlPrefix: baseUrl(extender.urlPrefix!, Boolean(enableHTTPS)),
    ...(filterVerb && { filterVerb }),
    ...(prioritizeVerb && { prioritizeVerb }),
    ...(preemptVerb && { preemptVerb }),
    ...(bindVerb && { bindVerb }),
    weight: extender.weight ?? 0,
    timeout: (httpTimeout === undefined ? undefined : parseMilliseconds(httpTimeout)) || defaultTimeout,
    nodeCacheCapable: extender.nodeCacheCapable ?? false,
    managedResources: (extender.managedResources ?? []).map(({ name }) => name),
    isIgnorable: extender.ignorable ?? false,
    tls: tlsOf(tlsConfig, folder, Boolean(enableHTTPS)),
  }
}

function baseUrl(urlPrefix: string, isSecure: boolean): string {
  const trimmed = urlPrefix.replace(/\/+$/, '')
  return isSecure ? trimmed.replace(/^http:/, 'https:') : trimmed
}

/** With `enableHTTPS` and without a CA, the certificate of the extender is not verified. As upstream. */
function tlsOf(config: ExtenderTLSConfig = {}, folder: string, isSecure: boolean): ExtenderTls {
  const content = (data: string | undefined, file: string | undefined) =>
    data ? Buffer.from(data, 'base64').toString() : file ? readFileSync(resolve(folder, file), 'utf8') : undefined
  const ca = content(config.caData, config.caFile)
  const cert = content(config.certData, config.certFile)
  const key = content(config.keyData, config.keyFile)
  return {
    insecure: config.insecure ?? (isSecure && ca === undefined),
    ...(config.serverName && { servername: config.serverName }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
}

/** Resources that an extender manages and NodeResourcesFit must ignore. */
export function ignoredResources(extenders: readonly ExtenderConfiguration[]): readonly string[] {
  return extenders.flatMap(({ managedResources = [] }) =>
    managedResources.filter(({ ignoredByScheduler }) => ignoredByScheduler).map(({ name }) => name),
  )
}
