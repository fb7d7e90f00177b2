import type { ConfigMap } from '../../../api/core/v1/config-map.js'
import type { Secret } from '../../../api/core/v1/secret.js'
import type { Describe } from '../context.js'
import { eventsOf } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'
import { sortedKeys } from '../text.js'

export const describeConfigMap: Describe<ConfigMap> = async (map, on) => {
  const { page } = on
  const { metadata, data, binaryData } = map
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  labelsAndAnnotations(page, metadata)
  page.text('\nData\n====\n')
  for (const key of sortedKeys(data)) page.text(`${key}:\n----\n${data![key]}\n\n`)
  page.text('\nBinaryData\n====\n')
  for (const key of sortedKeys(binaryData)) page.text(`${key}: ${byteLength(binaryData![key]!)} bytes\n`)
  page.text('\n')
  await eventsOf(map, on)
}

/** Shows only the sizes of the values, except for tokens, which users copy from here. */
export const describeSecret: Describe<Secret> = ({ metadata, type = '', data }, { page }) => {
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  labelsAndAnnotations(page, metadata)
  page.text(`\nType:\t${type}\n\nData\n====\n`)
  for (const key of sortedKeys(data)) {
    const isToken = key === 'token' && type === 'kubernetes.io/service-account-token'
    const content = data![key]!
    page.field(key, isToken ? Buffer.from(content, 'base64').toString() : `${byteLength(content)} bytes`)
  }
}

function byteLength(base64: string): number {
  return Buffer.from(base64, 'base64').length
}
