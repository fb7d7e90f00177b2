import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ExtenderSettings, ExtenderTls } from '../extenders/settings.js'
import type { ExtenderConfiguration, ExtenderTLSConfig } from './declarations.js'
import { parseMilliseconds } from './validation.js'

/** Milliseconds. Upstream's. */
const usualTimeout = 5_000

/** @param folder from which on its files are found */
export function extenderSettings(extender: ExtenderConfiguration, folder: string): ExtenderSettings {
  const { filterVerb, prioritizeVerb, preemptVerb, bindVerb, httpTimeout, tlsConfig, enableHTTPS } = extender
  return {
    urlPrefix: addressOf(extender.urlPrefix!, Boolean(enableHTTPS)),
    ...(filterVerb && { filterVerb }),
    ...(prioritizeVerb && { prioritizeVerb }),
    ...(preemptVerb && { preemptVerb }),
    ...(bindVerb && { bindVerb }),
    weight: extender.weight ?? 0,
    timeout: (httpTimeout === undefined ? undefined : parseMilliseconds(httpTimeout)) || usualTimeout,
    nodeCacheCapable: extender.nodeCacheCapable ?? false,
    managedResources: (extender.managedResources ?? []).map(({ name }) => name),
    isIgnorable: extender.ignorable ?? false,
    tls: tlsOf(tlsConfig, folder, Boolean(enableHTTPS)),
  }
}

function addressOf(urlPrefix: string, isSecure: boolean): string {
  const trimmed = urlPrefix.replace(/\/+$/, '')
  return isSecure ? trimmed.replace(/^http:/, 'https:') : trimmed
}

/** Who asks for HTTPS and does not say by what the server is known takes it on trust. Upstream's. */
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

/** Resources of which an extender says that the scheduler need not count them. */
export function ignoredResources(extenders: readonly ExtenderConfiguration[]): readonly string[] {
  return extenders.flatMap(({ managedResources = [] }) =>
    managedResources.filter(({ ignoredByScheduler }) => ignoredByScheduler).map(({ name }) => name),
  )
}
